import type { Dispatcher } from 'undici'
import { OutboundError } from './outbound-error.ts'

export interface AnswerLimits {
  /** For everything: resolving, connecting, sending and the answer. */
  readonly timeoutMs: number
  /** How much of the answer's body is kept. */
  readonly maxResponseBytes: number
  /** Ends the request early. */
  readonly signal?: AbortSignal
}

export interface OutboundAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The first `maxResponseBytes` of the body as UTF-8. */
  readonly bodyExcerpt: string
}

/** Longer bodies cost their connection: reading on would cost more than a new one. */
const drainedBytes = 65_536

/**
 * Sends one request and keeps the start of its answer. By handlers, because `request` of undici makes a stream of each body, and an answer to a
 * delivery has hardly ever one.
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

    /** A body that breaks off or never ends doesn't undo the status that came before it. */
    const settle = (error: Error | null): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      if (head === null) reject(error ?? new Error('There was no answer.'))
      else resolve({ ...head, bodyExcerpt: Buffer.concat(kept).toString('utf8') })
    }
    const breakOff = (reason: Error): void => {
      endedBy = reason
      settle(reason)
      controller?.abort(reason)
    }
    const onAbort = (): void => breakOff(new OutboundError('aborted', 'The request was ended by us.'))
    const timer = setTimeout(
      () => breakOff(new OutboundError('timeout', `No answer came within ${timeoutMs / 1000} s.`)),
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
          breakOff(new Error('The answer is too long.'))
      },
      onResponseEnd: () => settle(null),
      onResponseError: (_controller, error) => settle(error),
    })
  })
