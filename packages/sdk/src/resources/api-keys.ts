import type { HttpClient, RequestOptions } from '../http-client.ts'
import { list } from '../list.ts'
import type { Body, Query } from '../operation-types.ts'

export const createApiKeys = (http: HttpClient) => ({
  list: (query?: Query<'listApiKeys'>, options?: RequestOptions) =>
    list(http, 'listApiKeys', 'ApiKeys', { query, options }),
  /** The answer holds the token, which is not shown again. */
  create: (body: Body<'createApiKey'>, options?: RequestOptions) =>
    http.call('createApiKey', { body, options }),
  /** Refused everywhere within two seconds. */
  revoke: (keyUuid: string, options?: RequestOptions) =>
    http.call('revokeApiKey', { path: { keyUuid }, options }),
})
