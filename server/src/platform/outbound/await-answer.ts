import type { Dispatcher } from 'undici'
import { newMessage } from '../base/message.ts'
import { OutboundError } from './outbound-error.ts'

export interface AnswerLimits {
  /** Covers the whole request: resolving, connecting, sending and the response. */
  readonly timeoutMs: number
  /** Size of the stored start of the response body. */
  readonly maxResponseBytes: number
  readonly signal?: AbortSignal
}

export interface OutboundAnswer {
  readonly status: number
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The first `maxResponseBytes` of the body as UTF-8. */
  readonly bodyExcerpt: string
}

/** A longer body closes its connection: reading it would cost more than reconnecting. */
const drainedBytes = 65_536

/**
 * Sends one request and stores the start of its response. Uses dispatch handlers, because `request` of undici
 * creates a stream for each body, and responses to deliveries rarely have one.
 */
export const awaitAnswer = (
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  { timeoutMs, maxResponseBytes, signal }: AnswerLimits,
): Promise<OutboundAnswer> =>
  new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | null = null
    let head: Pick<OutboundAnswer, 'status' | 'headers'> | null = null
    const kept: Buffer[] = []
    let receivedBytes = 0
    let endedBy: Error | null = null

    /** The status counts even if the body breaks off or never ends. */
    const settle = (error: Error | null): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      if (head === null) reject(error ?? new Error('There was no response.'))
      else resolve({ ...head, bodyExcerpt: Buffer.concat(kept).toString('utf8') })
    }
    const breakOff = (reason: Error): void => {
      endedBy = reason
      settle(reason)
      controller?.abort(reason)
    }
    const onAbort = (): void => breakOff(new OutboundError('aborted', newMessage('request_cancelled')))
    const timer = setTimeout(
      () => breakOff(new OutboundError('timeout', newMessage('answer_late', { seconds: timeoutMs / 1_000 }))),
      timeoutMs,
    )
    if (signal?.aborted === true) return onAbort()
    signal?.addEventListener('abort', onAbort, { once: true })

    dispatcher.dispatch(options, {
      onRequestStart: (started) => {
        controller = started
        if (endedBy !== null) started.abort(endedBy)
      },
      onResponseStart: (_controller, status, headers) => {
        if (status >= 200) head = { status, headers }
      },
      onResponseData: (_controller, chunk) => {
        const room = maxResponseBytes - receivedBytes
        if (room > 0) kept.push(chunk.subarray(0, room))
        receivedBytes += chunk.length
        if (receivedBytes > maxResponseBytes + drainedBytes && endedBy === null)
          breakOff(new Error('The response is too long.'))
      },
      onResponseEnd: () => settle(null),
      onResponseError: (_controller, error) => settle(error),
    })
  })
