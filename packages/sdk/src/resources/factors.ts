import type { HttpClient, RequestOptions } from '../http-client.ts'
import type { Body } from '../operation-types.ts'

/** The sign-in factors of the signed-in user. */
export const createFactors = (http: HttpClient) => ({
  get: (options?: RequestOptions) => http.call('getFactors', { options }),
  /** Returns ten new codes, which replace the earlier ones. */
  createRecoveryCodes: (options?: RequestOptions) => http.call('createRecoveryCodes', { options }),
  /** Returns the secret for an authenticator app, to be confirmed with a first code. */
  startTotp: (options?: RequestOptions) => http.call('startTotp', { options }),
  confirmTotp: (body: Body<'confirmTotp'>, options?: RequestOptions) =>
    http.call('confirmTotp', { body, options }),
  deleteTotp: (options?: RequestOptions) => http.call('deleteTotp', { options }),
  /** Returns the options for `navigator.credentials.create()`. */
  startPasskey: (options?: RequestOptions) => http.call('startPasskey', { options }),
  createPasskey: (body: Body<'createPasskey'>, options?: RequestOptions) =>
    http.call('createPasskey', { body, options }),
  updatePasskey: (passkeyId: number, body: Body<'updatePasskey'>, options?: RequestOptions) =>
    http.call('updatePasskey', { path: { passkeyId }, body, options }),
  deletePasskey: (passkeyId: number, options?: RequestOptions) =>
    http.call('deletePasskey', { path: { passkeyId }, options }),
})
