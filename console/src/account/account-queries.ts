import { queryOptions } from '@tanstack/react-query'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'

export type User = Awaited<ReturnType<typeof zoetrope.users.get>>
export type Invitation = Awaited<ReturnType<typeof zoetrope.invitations.get>>
export type ApiKey = Awaited<ReturnType<typeof zoetrope.apiKeys.get>>

/** Display name of a user: the name, or the email address without one. */
export const nameOf = ({ Name, Email }: Pick<User, 'Name' | 'Email'>): string => Name || Email

/** The rules of the account for new keys. */
export const keyPolicy = queryOptions({
  queryKey: [...queryKeys.apiKeys, 'policy'],
  queryFn: async ({ signal }) => zoetrope.apiKeys.getPolicy({ signal }),
})

/** For pickers, and to show the owner of a key. */
export const allUsers = queryOptions({
  queryKey: [...queryKeys.users, 'all'],
  queryFn: async ({ signal }) => {
    const page = await zoetrope.users.list({ limit: 500, orderBy: 'name', sort: 'asc' }, { signal })
    return page.Users
  },
})

export const pendingInvitations = queryOptions({
  queryKey: queryKeys.invitations,
  queryFn: async ({ signal }) => {
    const page = await zoetrope.invitations.list({ status: 'pending', limit: 500 }, { signal })
    return page.Invitations
  },
})

/** Sessions of a user. Null = the signed-in user. */
export const sessionsOf = (userId: number | null) =>
  queryOptions({
    queryKey: [...queryKeys.sessions, userId],
    queryFn: async ({ signal }) => {
      const query = userId === null ? { limit: 100 } : { limit: 100, userId }
      const page = await zoetrope.sessions.list(query, { signal })
      return page.Sessions
    },
  })
