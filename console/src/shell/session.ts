import { createContext, useContext } from 'react'
import { setCsrfToken, zoetrope } from './api.ts'
import { roleMay, type Permission } from './permissions.ts'
import { queryClient, queryKeys } from './query.ts'

export type Session = Awaited<ReturnType<typeof zoetrope.sessions.current>>

export const SessionContext = createContext<Session | null>(null)

/** All tabs have one cookie, and so one session. */
const otherTabs = new BroadcastChannel('zoetrope-session')
type Told = 'begun' | 'ended'
const tell = (what: Told): void => otherTabs.postMessage(what)

otherTabs.addEventListener('message', ({ data }: MessageEvent<Told>) => {
  if (data === 'ended') location.reload()
  else void queryClient.invalidateQueries({ queryKey: queryKeys.session })
})

export const beginSession = (session: Session): void => {
  setCsrfToken(session.CsrfToken)
  queryClient.setQueryData(queryKeys.session, session)
  tell('begun')
}

/** Begins anew in all tabs, so that nothing of what this person saw is left. `clear` removes what this computer has kept. */
export const endSession = async (clear: () => Promise<void>): Promise<void> => {
  await zoetrope.sessions.signOut()
  tell('ended')
  await clear()
  location.assign('/console/')
}

export const useSession = (): Session => {
  const session = useContext(SessionContext)
  if (session === null) throw new Error('nobody is signed in')
  return session
}

/** Whether this person may do something, `files:write` for example: everywhere, or in one project, where another role may count. */
export const useCan = (projectId?: number): ((permission: Permission) => boolean) => {
  const { User } = useSession()
  const role = User.ProjectRoles.find((one) => one.ProjectId === projectId)?.Role ?? User.Role
  return (permission) => roleMay(role, permission)
}
