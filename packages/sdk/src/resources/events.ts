import { streamEvents, type StreamOptions } from '../event-stream.ts'
import type { HttpClient, RequestOptions } from '../http-client.ts'
import { list } from '../list.ts'
import type { Query } from '../operation-types.ts'

export const createEvents = (http: HttpClient) => ({
  list: (query?: Query<'listEvents'>, options?: RequestOptions) =>
    list(http, 'listEvents', 'Events', { query, options }),
  get: (eventId: number, options?: RequestOptions) => http.call('getEvent', { path: { eventId }, options }),
  /** Yields each event as it happens and reconnects when needed. Ends when the signal aborts. */
  stream: (options?: StreamOptions) => streamEvents(http, options),
})
