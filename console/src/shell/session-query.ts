import { AuthenticationError } from '@zoetrope/sdk'
import { queryOptions } from '@tanstack/react-query'
import { setCsrfToken, zoetrope } from './api.ts'
import { queryKeys } from './query.ts'
import type { Session } from './session-record.ts'

/** Null = signed out. */
const readSession = async (): Promise<Session | null> => {
  try {
    const session = await zoetrope.sessions.current()
    setCsrfToken(session.CsrfToken)
    return session
  } catch (error) {
    if (!(error instanceof AuthenticationError)) throw error
    setCsrfToken(null)
    return null
  }
}

export const sessionQuery = queryOptions({
  queryKey: queryKeys.session,
  queryFn: readSession,
  staleTime: Infinity,
  // Nothing is shown before the session is known, so the request is retried without limit, even on 429.
  retry: true,
  refetchOnWindowFocus: 'always',
})
