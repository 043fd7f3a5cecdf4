import type { HttpClient, RequestOptions } from '../http-client.ts'
import { list } from '../list.ts'
import type { Query } from '../operation-types.ts'

export const createUsage = (http: HttpClient) => ({
  /** Returns the current usage and that of each day. */
  get: (query: Query<'getUsage'> = {}, options?: RequestOptions) => http.call('getUsage', { query, options }),
  listProjects: (query?: Query<'listProjectUsage'>, options?: RequestOptions) =>
    list(http, 'listProjectUsage', 'Projects', { query, options }),
  /** Lists the number of files that use each category, video type and share. */
  listCatalog: (query?: Query<'listCatalogUsage'>, options?: RequestOptions) =>
    list(http, 'listCatalogUsage', 'Entries', { query, options }),
  /** Lists the encode queue. */
  listEncodings: (query?: Query<'listEncodings'>, options?: RequestOptions) =>
    list(http, 'listEncodings', 'Encodings', { query, options }),
})
