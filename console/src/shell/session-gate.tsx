import { ApiError, AuthenticationError } from '@zoetrope/sdk'
import { Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'
import { setCsrfToken, zoetrope } from './api.ts'
import { followEvents } from './events.ts'
import { queryClient, queryKeys } from './query.ts'
import { SessionContext, type Session } from './session.ts'
import { SignInPage } from './sign-in-page.tsx'
import { StartingScreen } from './starting-screen.tsx'

/** Null = nobody is signed in. */
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

/** An answer 401 to anything means that the session is over. The screens stay as they are behind the sign-in, and so do their forms. */
queryClient.getQueryCache().subscribe(({ query }) => noticeEnd(query.state.error))
queryClient.getMutationCache().subscribe(({ mutation }) => noticeEnd(mutation?.state.error ?? null))

const noticeEnd = (error: Error | null): void => {
  if (!(error instanceof ApiError) || error.status !== 401) return
  const session = queryClient.getQueryData(queryKeys.session)
  if (session !== null) queryClient.setQueryData(queryKeys.session, null)
}

/**
 * Only who is signed in sees more than the sign-in. When a session ends by itself, the screen stays behind the sign-in with all that was typed;
 * somebody else who then signs in begins anew.
 */
export const SessionGate = ({ children }: { readonly children: ReactNode }) => {
  const { data: session } = useQuery({
    queryKey: queryKeys.session,
    queryFn: readSession,
    staleTime: Infinity,
    refetchOnWindowFocus: 'always',
  })
  const [shown, setShown] = useState<Session | null>(null)
  if (session && session !== shown) {
    if (shown !== null && shown.User.Id !== session.User.Id) location.reload()
    setShown(session)
  }
  const userId = session?.User.Id
  useEffect(() => {
    if (userId === undefined) return undefined
    const controller = new AbortController()
    void followEvents(controller.signal)
    return () => controller.abort()
  }, [userId])
  if (session === undefined) return <StartingScreen />
  if (shown === null) return <SignInPage />
  return (
    <>
      <Modal opened={session === null} onClose={() => {}} withCloseButton={false} fullScreen>
        <SignInPage />
      </Modal>
      <SessionContext value={shown}>{children}</SessionContext>
    </>
  )
}
