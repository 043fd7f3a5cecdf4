import type { HttpClient, RequestOptions } from '../http-client.ts'
import { list } from '../list.ts'
import type { Body, Query } from '../operation-types.ts'

export const createSessions = (http: HttpClient) => ({
  /** In a browser: the answer brings the cookie. */
  signIn: (body: Body<'signIn'>, options?: RequestOptions) => http.call('signIn', { body, options }),
  /** With the token of an invitation, or of a link for a forgotten password. */
  acceptInvitation: (body: Body<'acceptInvitation'>, options?: RequestOptions) =>
    http.call('acceptInvitation', { body, options }),
  /** With the token of the link that `./zoetrope up` prints. */
  signInByLink: (body: Body<'signInByLink'>, options?: RequestOptions) =>
    http.call('signInByLink', { body, options }),
  /** Who is signed in here, and the token for changes. */
  current: (options?: RequestOptions) => http.call('getSession', { options }),
  signOut: (options?: RequestOptions) => http.call('signOut', { options }),
  changePassword: (body: Body<'changePassword'>, options?: RequestOptions) =>
    http.call('changePassword', { body, options }),
  /** Where people are signed in to the console. */
  list: (query?: Query<'listSessions'>, options?: RequestOptions) =>
    list(http, 'listSessions', 'Sessions', { query, options }),
  /** Refused everywhere within two seconds. */
  end: (sessionUuid: string, options?: RequestOptions) =>
    http.call('endSession', { path: { sessionUuid }, options }),
})
