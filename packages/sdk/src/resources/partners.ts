import type { HttpClient, RequestOptions } from '../http-client.ts'
import type { Body } from '../operation-types.ts'

export const createPartners = (http: HttpClient) => ({
  /** What is connected, and the client key. */
  get: (options?: RequestOptions) => http.call('getPartners', { options }),
  getIdentityProvider: (options?: RequestOptions) => http.call('getIdentityProvider', { options }),
  /** Tried at the provider first; what fails there is thrown, and nothing changes. */
  connectIdentityProvider: (body: Body<'connectIdentityProvider'>, options?: RequestOptions) =>
    http.call('connectIdentityProvider', { body, options }),
  testIdentityProvider: (options?: RequestOptions) => http.call('testIdentityProvider', { options }),
  disconnectIdentityProvider: (options?: RequestOptions) =>
    http.call('disconnectIdentityProvider', { options }),
  /** By which Zoetrope shows the provider who it is, without a shared secret. */
  createClientKey: (options?: RequestOptions) => http.call('createClientKey', { options }),
  rotateSigningKeys: (body: Body<'rotateSigningKeys'> = {}, options?: RequestOptions) =>
    http.call('rotateSigningKeys', { body, options }),
})
