import type { HttpClient, RequestOptions } from '../http-client.ts'
import { list } from '../list.ts'
import type { Body, Query } from '../operation-types.ts'

export const createSessions = (http: HttpClient) => ({
  /** Signs in a browser: the response sets the session cookie. */
  signIn: (body: Body<'signIn'>, options?: RequestOptions) => http.call('signIn', { body, options }),
  /** Takes the token of an invitation or of a password link. */
  acceptInvitation: (body: Body<'acceptInvitation'>, options?: RequestOptions) =>
    http.call('acceptInvitation', { body, options }),
  /** E-mails a link to set a new password, if a user has this address. */
  requestPasswordReset: (body: Body<'requestPasswordReset'>, options?: RequestOptions) =>
    http.call('requestPasswordReset', { body, options }),
  /** Takes the token of the link that `./zoetrope up` prints. */
  signInByLink: (body: Body<'signInByLink'>, options?: RequestOptions) =>
    http.call('signInByLink', { body, options }),
  /** Finishes a sign-in that needs a code of the authenticator app, or a recovery code. */
  finishSignIn: (body: Body<'finishSignIn'>, options?: RequestOptions) =>
    http.call('finishSignIn', { body, options }),
  /** Returns the options for `navigator.credentials.get()`. */
  startPasskeySignIn: (options?: RequestOptions) => http.call('startPasskeySignIn', { options }),
  signInByPasskey: (body: Body<'signInByPasskey'>, options?: RequestOptions) =>
    http.call('signInByPasskey', { body, options }),
  /** Returns the options to confirm with a passkey. */
  startConfirmation: (options?: RequestOptions) => http.call('startConfirmation', { options }),
  /** Confirms the identity of the user, which sensitive actions need every ten minutes. */
  confirm: (body: Body<'confirmSession'>, options?: RequestOptions) =>
    http.call('confirmSession', { body, options }),
  /** Returns the signed-in user and the CSRF token for changes. */
  current: (options?: RequestOptions) => http.call('getSession', { options }),
  signOut: (options?: RequestOptions) => http.call('signOut', { options }),
  changePassword: (body: Body<'changePassword'>, options?: RequestOptions) =>
    http.call('changePassword', { body, options }),
  /** Lists the console sessions of users. */
  list: (query?: Query<'listSessions'>, options?: RequestOptions) =>
    list(http, 'listSessions', 'Sessions', { query, options }),
  /** Ends a session. All nodes refuse it within two seconds. */
  end: (sessionUuid: string, options?: RequestOptions) =>
    http.call('endSession', { path: { sessionUuid }, options }),
  endOthers: (options?: RequestOptions) => http.call('endOtherSessions', { options }),
})
