import type { HttpClient, RequestOptions } from '../http-client.ts'
import { list } from '../list.ts'
import type { Body, Query } from '../operation-types.ts'

export const createApiKeys = (http: HttpClient) => ({
  list: (query?: Query<'listApiKeys'>, options?: RequestOptions) =>
    list(http, 'listApiKeys', 'ApiKeys', { query, options }),
  /** The answer holds the token, which is not shown again. */
  create: (body: Body<'createApiKey'>, options?: RequestOptions) =>
    http.call('createApiKey', { body, options }),
  get: (keyUuid: string, options?: RequestOptions) => http.call('getApiKey', { path: { keyUuid }, options }),
  update: (keyUuid: string, body: Body<'updateApiKey'>, options?: RequestOptions) =>
    http.call('updateApiKey', { path: { keyUuid }, body, options }),
  /** A new token for the same rights; the old one goes on for a while, a day by default. */
  rotate: (keyUuid: string, body: Body<'rotateApiKey'> = {}, options?: RequestOptions) =>
    http.call('rotateApiKey', { path: { keyUuid }, body, options }),
  /** Refused everywhere within two seconds. */
  revoke: (keyUuid: string, options?: RequestOptions) =>
    http.call('revokeApiKey', { path: { keyUuid }, options }),
})
