import { setTimeout as delay } from 'node:timers/promises'
import { isPassingError } from '../../../platform/db/driver/is-passing-error.ts'
import type { Log } from '../../../platform/log/log.ts'

export interface DatabaseQueue {
  /**
   * Runs the work after all earlier work, and retries it until the database accepts it. The work must be
   * idempotent.
   */
  readonly add: (work: () => Promise<void>) => void
  /** Like `add`, but skips the work while the queue is long. */
  readonly addIfRoom: (work: () => Promise<void>) => void
  readonly settled: () => Promise<void>
  /** Tries queued work once more at once, then gives up. */
  readonly stopRetrying: () => void
}

const roomFor = 50
const firstPauseMs = 200
const longestPauseMs = 5_000

/**
 * Writes the rows of a broadcast in order and apart from its frames, so that a database outage delays no
 * frame.
 */
export const createDatabaseQueue = (log: Log): DatabaseQueue => {
  let last: Promise<void> = Promise.resolve()
  let waitingCount = 0
  let retryNow = new AbortController()
  let isEnding = false

  const run = async (work: () => Promise<void>): Promise<void> => {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      const isLastTry = isEnding
      try {
        return await work()
      } catch (error) {
        if (isLastTry || !isPassingError(error))
          return log.error({ err: error }, 'the database refused a change of a live stream')
        log.warn({ err: error }, 'cannot store a change of a live stream; retrying')
      }
      await delay(pauseMs, null, { signal: retryNow.signal, ref: false }).catch(() => {})
    }
  }

  const add = (work: () => Promise<void>): void => {
    waitingCount++
    last = last.then(() => run(work)).finally(() => waitingCount--)
  }

  return {
    add,
    addIfRoom: (work) => {
      if (waitingCount < roomFor) add(work)
    },
    settled: () => last,
    stopRetrying: () => {
      isEnding = true
      retryNow.abort()
    },
  }
}
