import type { HttpClient, RequestOptions } from '../http-client.ts'
import { list } from '../list.ts'
import type { Query } from '../operation-types.ts'

export const createSessions = (http: HttpClient) => ({
  /** Where people are signed in to the console. */
  list: (query?: Query<'listSessions'>, options?: RequestOptions) =>
    list(http, 'listSessions', 'Sessions', { query, options }),
  /** Refused everywhere within two seconds. */
  end: (sessionUuid: string, options?: RequestOptions) =>
    http.call('endSession', { path: { sessionUuid }, options }),
})
