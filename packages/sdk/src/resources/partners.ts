import type { HttpClient, RequestOptions } from '../http-client.ts'
import type { Body } from '../operation-types.ts'

export const createPartners = (http: HttpClient) => ({
  /** Returns the connected identity provider and the client key. */
  get: (options?: RequestOptions) => http.call('getPartners', { options }),
  getIdentityProvider: (options?: RequestOptions) => http.call('getIdentityProvider', { options }),
  /** Connects a provider after a test. A failed test throws and changes nothing. */
  connectIdentityProvider: (body: Body<'connectIdentityProvider'>, options?: RequestOptions) =>
    http.call('connectIdentityProvider', { body, options }),
  /** Tests the discovery document and the key set of an issuer, before it is connected. */
  checkIssuer: (body: Body<'checkIssuer'>, options?: RequestOptions) =>
    http.call('checkIssuer', { body, options }),
  testIdentityProvider: (options?: RequestOptions) => http.call('testIdentityProvider', { options }),
  disconnectIdentityProvider: (options?: RequestOptions) =>
    http.call('disconnectIdentityProvider', { options }),
  /** Creates the key with which Zoetrope authenticates at the provider, without a shared secret. */
  createClientKey: (options?: RequestOptions) => http.call('createClientKey', { options }),
  rotateSigningKeys: (body: Body<'rotateSigningKeys'> = {}, options?: RequestOptions) =>
    http.call('rotateSigningKeys', { body, options }),
})
