import { streamAudit, type AuditStreamOptions } from '../audit-stream.ts'
import type { HttpClient, RequestOptions } from '../http-client.ts'
import { list } from '../list.ts'
import type { Query } from '../operation-types.ts'

export const createAudit = (http: HttpClient) => ({
  /** Lists the changes of records with their actors, newest first. */
  list: (query?: Query<'listAuditEntries'>, options?: RequestOptions) =>
    list(http, 'listAuditEntries', 'AuditEntries', { query, options }),
  /** Yields all entries, oldest first, and new ones with `follow`. */
  stream: (options?: AuditStreamOptions) => streamAudit(http, options),
})
