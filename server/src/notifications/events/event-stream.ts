import { once } from 'node:events'
import { PassThrough, type Readable } from 'node:stream'
import type { Database } from '../../platform/db/database.ts'
import { renderEvent, type StoredEvent } from '../../platform/outbox/domain-event.ts'
import type { Log } from '../../platform/log/log.ts'
import { isWanted, type EventFilter, type EventScope } from './event-filter.ts'
import { readEventIds, readHorizon, readRecords, type EventRange } from './event-log.ts'
import type { EventTail } from './event-tail.ts'

export interface EventStream {
  readonly body: Readable
  /**
   * Ends the stream cleanly when the reader has received everything; otherwise destroys it, because the
   * reader may never catch up.
   */
  readonly end: () => void
  /** Resolves when no more database reads run for the stream. */
  readonly finished: Promise<void>
}

/** A reader with more unread bytes is disconnected; it reconnects with `Last-Event-ID` and loses nothing. */
const maxBufferedBytes = 1024 * 1024
const pageSize = 100
/** Reconnection delay that the stream suggests to clients. */
const reconnectMs = 2_000

/**
 * Renders one event as a server-sent event (HTML standard, section 9.2); JSON contains no raw line breaks.
 */
const renderMessage = (event: StoredEvent): string =>
  `id: ${event.id}\nevent: ${event.name}\ndata: ${renderEvent(event)}\n\n`

/**
 * Sends the events after `after` from the log, at the reader's pace, and then new events as they occur. Sends
 * a comment after `heartbeatMs` of silence, so that neither proxies nor readers close the connection.
 */
export const openEventStream = (options: {
  readonly database: Database
  readonly tail: EventTail
  readonly log: Log
  readonly scope: EventScope
  readonly filter: EventFilter
  readonly after: number
  readonly heartbeatMs: number
}): EventStream => {
  const { tail, log, scope, filter, after } = options
  const { kysely } = options.database
  const body = new PassThrough()
  const closed = new AbortController()
  body.once('close', () => closed.abort())
  /** Ids up to here are not sent again, because the tail may be behind the log and repeat them. */
  let sentUpTo = after
  /**
   * Messages of the tail that wait while the reader still receives older events; null once it has caught up.
   */
  let early: { readonly id: number; readonly message: string }[] | null = []
  let earlyBytes = 0

  const isBehind = (): boolean => body.writableLength + body.readableLength + earlyBytes > 0

  const write = async (chunk: string): Promise<void> => {
    if (!body.write(chunk)) await once(body, 'drain', { signal: closed.signal })
  }

  const sendRange = async ({ after: from, upTo }: EventRange): Promise<void> => {
    let position = from
    while (position < upTo) {
      const ids = await readEventIds(kysely, scope, filter, { after: position, upTo }, pageSize)
      for (const event of await readRecords(kysely, ids)) await write(renderMessage(event))
      position = ids.length < pageSize ? upTo : (ids.at(-1) ?? upTo)
    }
  }

  const onEvents = (events: readonly StoredEvent[]): void => {
    if (!body.writable) return
    for (const event of events) {
      if (event.id <= sentUpTo || !isWanted(event, scope, filter)) continue
      const message = renderMessage(event)
      if (early === null) body.write(message)
      else {
        early.push({ id: event.id, message })
        earlyBytes += message.length
      }
    }
    if (body.writableLength + body.readableLength + earlyBytes > maxBufferedBytes) body.destroy()
  }

  const follow = async (): Promise<void> => {
    // A reader that loses the connection before its first event resumes here.
    await write(`retry: ${reconnectMs}\nid: ${after}\n\n`)
    // Sends older events before joining the tail, so that few messages wait in `early`.
    const { settledId } = await readHorizon(kysely)
    await sendRange({ after, upTo: settledId })
    sentUpTo = Math.max(after, settledId)
    const membership = tail.join(scope.accountId, onEvents)
    closed.signal.addEventListener('abort', membership.leave)
    const joinedAt = await membership.joinedAt
    if (joinedAt === null) return
    await sendRange({ after: sentUpTo, upTo: joinedAt })
    sentUpTo = Math.max(sentUpTo, joinedAt)
    for (const { id, message } of early ?? []) if (id > sentUpTo) await write(message)
    early = null
    earlyBytes = 0
  }

  const heartbeat = setInterval(() => {
    if (body.writable && !isBehind()) body.write(': still here\n\n')
  }, options.heartbeatMs)
  closed.signal.addEventListener('abort', () => clearInterval(heartbeat))
  const finished = follow().catch((error: unknown) => {
    if (!closed.signal.aborted) log.warn({ err: error }, 'an event stream ended with an error')
    body.destroy()
  })

  return {
    body,
    finished,
    end: () => {
      if (isBehind()) body.destroy()
      else body.end()
    },
  }
}
