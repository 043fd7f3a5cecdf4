import type { HttpClient, RequestOptions } from '../http-client.ts'
import { list } from '../list.ts'
import type { Query } from '../operation-types.ts'

export const createUsage = (http: HttpClient) => ({
  /** What is kept, now and day by day. */
  get: (query: Query<'getUsage'> = {}, options?: RequestOptions) => http.call('getUsage', { query, options }),
  listProjects: (query?: Query<'listProjectUsage'>, options?: RequestOptions) =>
    list(http, 'listProjectUsage', 'Projects', { query, options }),
  /** By how many files each category, video type and share is used. */
  listCatalog: (query?: Query<'listCatalogUsage'>, options?: RequestOptions) =>
    list(http, 'listCatalogUsage', 'Entries', { query, options }),
  /** The encode queue. */
  listEncodings: (query?: Query<'listEncodings'>, options?: RequestOptions) =>
    list(http, 'listEncodings', 'Encodings', { query, options }),
})
