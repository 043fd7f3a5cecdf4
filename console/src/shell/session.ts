import { createContext, useContext } from 'react'
import { roleAllows, type Permission } from '@zoetrope/vocabulary'
import { setCsrfToken, zoetrope } from './api.ts'
import { queryClient, queryKeys } from './query.ts'
import type { Session } from './session-record.ts'

export const SessionContext = createContext<Session | null>(null)

/** All tabs share one cookie, and so one session. */
const otherTabs = new BroadcastChannel('zoetrope-session')
type SessionChange = 'begun' | 'ended'
const notifyOtherTabs = (what: SessionChange): void => otherTabs.postMessage(what)

otherTabs.addEventListener('message', ({ data }: MessageEvent<SessionChange>) => {
  if (data === 'ended') location.reload()
  else void queryClient.invalidateQueries({ queryKey: queryKeys.session })
})

export const beginSession = (session: Session): void => {
  setCsrfToken(session.CsrfToken)
  queryClient.setQueryData(queryKeys.session, session)
  notifyOtherTabs('begun')
}

/**
 * Reloads all tabs, so that no data of this user is left. `clear` deletes the data stored on this computer.
 */
export const endSession = async (clear: () => Promise<void>): Promise<void> => {
  await zoetrope.sessions.signOut()
  notifyOtherTabs('ended')
  await clear()
  location.assign('/console/')
}

export const useSession = (): Session => {
  const session = useContext(SessionContext)
  if (session === null) throw new Error('nobody is signed in')
  return session
}

/** Returns a check for permissions in any project. */
export const useCanIn = (): ((projectId: number | undefined, permission: Permission) => boolean) => {
  const { User } = useSession()
  return (projectId, permission) =>
    roleAllows(User.ProjectRoles.find((one) => one.ProjectId === projectId)?.Role ?? User.Role, permission)
}

/**
 * Returns a check for permissions such as `files:write`: in the account, or in one project, where another
 * role may apply.
 */
export const useCan = (projectId?: number): ((permission: Permission) => boolean) => {
  const canIn = useCanIn()
  return (permission) => canIn(projectId, permission)
}
