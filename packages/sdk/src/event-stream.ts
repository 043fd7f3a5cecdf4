import { backoffMs, pause } from './backoff.ts'
import { bytesOf, longestSilenceMs } from './bytes-of.ts'
import { isFinalError } from './errors.ts'
import type { HttpClient } from './http-client.ts'
import type { WebhookEvent } from './webhook-event.ts'

export interface StreamOptions {
  /** Id of an event; the stream starts after it. Default: the stream starts with new events. */
  readonly after?: number
  /** Event names or families, such as `file.*`: one, an array, or a comma-separated text. */
  readonly event?: string | readonly string[]
  readonly projectId?: number
  readonly fileId?: number
  readonly signal?: AbortSignal
  /** Called when the connection is lost, before the client reconnects; at most once until the next event. */
  readonly onBreak?: () => void
}

interface ServerSentEvent {
  readonly id: string | null
  /** Null for an `id` that only says where the stream is. */
  readonly data: string | null
}

/**
 * Parses the fields `id` and `data` of a `text/event-stream` (HTML, 9.2.6). Skips comments and other fields.
 */
export async function* parseEventStream(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of bytesOf(body, longestSilenceMs)) {
    text += decoder.decode(bytes, { stream: true })
    const blocks = text.split(/\r?\n\r?\n/)
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const lines = block.split(/\r?\n/)
      const valuesOf = (field: string) =>
        lines
          .filter((line) => line.startsWith(`${field}:`))
          .map((line) => line.slice(field.length + 1).replace(/^ /, ''))
      const id = valuesOf('id').at(-1) ?? null
      const data = valuesOf('data')
      if (id !== null || data.length > 0) yield { id, data: data.length > 0 ? data.join('\n') : null }
    }
  }
}

/**
 * Yields every event as it happens. After a lost connection it resumes after the last event (`Last-Event-ID`),
 * so it misses none. It ends only when the signal aborts, by throwing its reason.
 */
export async function* streamEvents(
  http: HttpClient,
  options: StreamOptions = {},
): AsyncGenerator<WebhookEvent> {
  const { signal } = options
  const query = new URLSearchParams()
  if (options.event !== undefined) query.set('event', [options.event].flat().join(','))
  if (options.projectId !== undefined) query.set('projectId', String(options.projectId))
  if (options.fileId !== undefined) query.set('fileId', String(options.fileId))
  let lastId = options.after === undefined ? null : String(options.after)
  let failures = 0
  for (;;) {
    try {
      const headers = { Accept: 'text/event-stream', ...(lastId === null ? {} : { 'Last-Event-ID': lastId }) }
      const body = await http.open(`/events/stream?${query}`, { headers, ...(signal && { signal }) })
      for await (const { id, data } of parseEventStream(body)) {
        lastId = id ?? lastId
        if (data === null) continue
        failures = 0
        yield JSON.parse(data) as WebhookEvent
      }
    } catch (error) {
      signal?.throwIfAborted()
      if (isFinalError(error)) throw error
    }
    if (failures === 0) options.onBreak?.()
    // The server ends streams when it restarts, so the client reconnects with increasing pauses.
    await pause(backoffMs(Math.min(failures, 5)), signal)
    failures += 1
  }
}
