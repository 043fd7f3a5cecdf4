import type { HttpClient, RequestOptions } from '../http-client.ts'
import { list } from '../list.ts'
import type { Body, Query } from '../operation-types.ts'

export const createApiKeys = (http: HttpClient) => ({
  list: (query?: Query<'listApiKeys'>, options?: RequestOptions) =>
    list(http, 'listApiKeys', 'ApiKeys', { query, options }),
  /** Creates an API key. Only this response contains the token. */
  create: (body: Body<'createApiKey'>, options?: RequestOptions) =>
    http.call('createApiKey', { body, options }),
  get: (keyUuid: string, options?: RequestOptions) => http.call('getApiKey', { path: { keyUuid }, options }),
  update: (keyUuid: string, body: Body<'updateApiKey'>, options?: RequestOptions) =>
    http.call('updateApiKey', { path: { keyUuid }, body, options }),
  /** Returns a new token with the same rights. The old one stays valid for a while, a day by default. */
  rotate: (keyUuid: string, body: Body<'rotateApiKey'> = {}, options?: RequestOptions) =>
    http.call('rotateApiKey', { path: { keyUuid }, body, options }),
  /** Returns the rules of the account for new keys. */
  getPolicy: (options?: RequestOptions) => http.call('getApiKeyPolicy', { options }),
  updatePolicy: (body: Body<'updateApiKeyPolicy'>, options?: RequestOptions) =>
    http.call('updateApiKeyPolicy', { body, options }),
  /** Revokes the key. All nodes refuse it within two seconds. */
  revoke: (keyUuid: string, options?: RequestOptions) =>
    http.call('revokeApiKey', { path: { keyUuid }, options }),
})
