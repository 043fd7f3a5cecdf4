import { once } from 'node:events'
import { PassThrough, type Readable } from 'node:stream'
import type { Database } from '../kernel/db/database.ts'
import { renderEvent, type StoredEvent } from '../kernel/events/domain-event.ts'
import type { Log } from '../kernel/log.ts'
import { isWanted, type EventFilter, type EventScope } from './event-filter.ts'
import { readEventIds, readHorizon, readRecords, type Stretch } from './event-log.ts'
import type { EventTail } from './event-tail.ts'

export interface EventStream {
  readonly body: Readable
  /** Ends it in order where the reader is up to date; cuts off one who is not, for he may never be. */
  readonly end: () => void
  /** Settles when nothing is read for it any more. */
  readonly finished: Promise<void>
}

/** A reader who is this far behind is cut off: it comes back with `Last-Event-ID` and loses nothing. */
const maxBufferedBytes = 1024 * 1024
const pageSize = 100
/** What a client waits before it comes back, unless it knows better. */
const reconnectMs = 2_000

/** One event in the format of the HTML standard, section 9.2; JSON has no line breaks of its own. */
const renderMessage = (event: StoredEvent): string =>
  `id: ${event.id}\nevent: ${event.name}\ndata: ${renderEvent(event)}\n\n`

/**
 * Sends what the log holds after the event `after`, at the pace of the reader, and then what happens, as it happens. A comment goes out every
 * `heartbeatMs` of silence, so that neither proxies nor readers take it for an end.
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
  /** Up to here nothing is sent any more: the tail may be behind, and say what the log has shown already. */
  let sentUpTo = after
  /** What the tail said while the reader still gets what was before: null when it has caught up. */
  let early: { readonly id: number; readonly message: string }[] | null = []
  let earlyBytes = 0

  const isBehind = (): boolean => body.writableLength + body.readableLength + earlyBytes > 0

  const write = async (chunk: string): Promise<void> => {
    if (!body.write(chunk)) await once(body, 'drain', { signal: closed.signal })
  }

  const sendStretch = async ({ after: from, upTo }: Stretch): Promise<void> => {
    let position = from
    while (position < upTo) {
      const ids = await readEventIds(kysely, scope, filter, { after: position, upTo }, pageSize)
      for (const event of await readRecords(kysely, ids)) await write(renderMessage(event))
      position = ids.length < pageSize ? upTo : (ids.at(-1) ?? upTo)
    }
  }

  const hear = (events: readonly StoredEvent[]): void => {
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
    await write(`retry: ${reconnectMs}\n\n`)
    // What lies far back first, so that little has to wait in `early`.
    const { settledId } = await readHorizon(kysely)
    await sendStretch({ after, upTo: settledId })
    sentUpTo = Math.max(after, settledId)
    const membership = tail.join(scope.accountId, hear)
    closed.signal.addEventListener('abort', membership.leave)
    const joinedAt = await membership.joinedAt
    if (joinedAt === null) return
    await sendStretch({ after: sentUpTo, upTo: joinedAt })
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
    if (!closed.signal.aborted) log.warn({ err: error }, 'an event stream was broken off')
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
