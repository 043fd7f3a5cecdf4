import { once } from 'node:events'
import { PassThrough, type Readable } from 'node:stream'
import { runForAccount } from '../../platform/db/account-scope.ts'
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
  readonly finished: () => Promise<void>
}

/** Beyond this many unread bytes, the stream reads events from the log when the reader has taken the earlier ones. */
const maxBufferedBytes = 1024 * 1024
/** With events of 64 KiB, at most 1 MiB in memory. */
const recordsAtOnce = 16
const pageSize = 100
/** Reconnection delay that the stream suggests to clients. */
const reconnectMs = 2_000

/**
 * Renders one event as a server-sent event (HTML standard, section 9.2); JSON contains no raw line breaks.
 */
const renderMessage = (event: StoredEvent): string =>
  `id: ${event.id}\nevent: ${event.name}\ndata: ${renderEvent(event)}\n\n`

/**
 * Sends the events after `after` from the log, at the reader's pace, and then new events as they occur. A
 * reader that cannot keep up continues from the log, so a burst of events neither fills the memory nor
 * disconnects readers. Sends a comment after `heartbeatMs` of silence, so that neither proxies nor readers
 * close the connection.
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
  /** Newest event known to be in the log. */
  let knownUpTo = after
  /** Whether events of the tail are sent at once; otherwise `catchUp` reads them from the log. */
  let isCaughtUp = false

  const unreadBytes = (): number => body.writableLength + body.readableLength

  /** Resolves when the reader has taken everything, and destroys the stream when the reader has stopped. */
  const drained = async (): Promise<void> => {
    let unreadBefore = unreadBytes()
    const watch = setInterval(() => {
      if (unreadBytes() >= unreadBefore) body.destroy()
      unreadBefore = unreadBytes()
    }, 2 * options.heartbeatMs)
    try {
      await once(body, 'drain', { signal: closed.signal })
    } finally {
      clearInterval(watch)
    }
  }

  const write = async (chunk: string): Promise<void> => {
    if (!body.write(chunk)) await drained()
  }

  const sendRange = async ({ after: from, upTo }: EventRange): Promise<void> => {
    let position = from
    while (position < upTo) {
      const ids = await readEventIds(kysely, scope, filter, { after: position, upTo }, pageSize)
      for (let start = 0; start < ids.length; start += recordsAtOnce)
        for (const event of await readRecords(kysely, ids.slice(start, start + recordsAtOnce)))
          await write(renderMessage(event))
      position = ids.length < pageSize ? upTo : (ids.at(-1) ?? upTo)
    }
  }

  const catchUp = async (): Promise<void> => {
    isCaughtUp = false
    while (body.writable && sentUpTo < knownUpTo) {
      const upTo = knownUpTo
      await sendRange({ after: sentUpTo, upTo })
      sentUpTo = upTo
    }
    isCaughtUp = true
  }

  const follow = async (): Promise<void> => {
    // A reader that loses the connection before its first event resumes here.
    await write(`retry: ${reconnectMs}\nid: ${after}\n\n`)
    // Sends older events before joining the tail, so that few are left to read after it.
    const { settledId } = await readHorizon(kysely)
    knownUpTo = Math.max(after, settledId)
    await catchUp()
    const membership = tail.join(scope.accountId, onEvents)
    closed.signal.addEventListener('abort', membership.leave)
    const joinedAt = await membership.joinedAt
    if (joinedAt === null) return
    knownUpTo = Math.max(knownUpTo, joinedAt)
    await catchUp()
  }

  const run = (reading: () => Promise<void>): Promise<void> =>
    reading().catch((error: unknown) => {
      if (!closed.signal.aborted) log.warn({ err: error }, 'an event stream ended with an error')
      body.destroy()
    })

  /** Returns null when the reader would have too much to take. */
  const renderWanted = (events: readonly StoredEvent[]): string[] | null => {
    const messages: string[] = []
    let bytes = unreadBytes()
    for (const event of events) {
      if (event.id <= sentUpTo || !isWanted(event, scope, filter)) continue
      const message = renderMessage(event)
      bytes += message.length
      if (bytes > maxBufferedBytes) return null
      messages.push(message)
    }
    return messages
  }

  const onEvents = (events: readonly StoredEvent[]): void => {
    if (!body.writable) return
    knownUpTo = Math.max(knownUpTo, events.at(-1)?.id ?? 0)
    if (!isCaughtUp) return
    const messages = renderWanted(events)
    if (messages === null) {
      // The tail runs for all accounts.
      reading = run(() => runForAccount(scope.accountId, catchUp))
      return
    }
    for (const message of messages) body.write(message)
    sentUpTo = knownUpTo
  }

  const heartbeat = setInterval(() => {
    if (body.writable && unreadBytes() === 0) body.write(': still here\n\n')
  }, options.heartbeatMs)
  closed.signal.addEventListener('abort', () => clearInterval(heartbeat))
  let reading = run(follow)

  return {
    body,
    finished: () => reading,
    end: () => {
      if (sentUpTo < knownUpTo || unreadBytes() > 0) body.destroy()
      else body.end()
    },
  }
}
