import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../kernel/log.ts'

/** Together these keep the commits few and a result no longer unwritten than a request takes anyway. */
const maxBatch = 256
const maxWaitMs = 15
const pauseAfterErrorMs = 1_000

export interface ResultWriter<Result> {
  readonly add: (result: Result) => void
  /** Runs between two batches, never at the same time as one. */
  readonly between: <T>(work: () => Promise<T>) => Promise<T>
  /** Settles when what was added before is written. */
  readonly flush: () => Promise<void>
  /** Writes what is left; settles when it is written, or when the database refuses once more. */
  readonly close: () => Promise<void>
}

/** Collects results and writes them in batches, one batch at a time, again and again until the database takes them. */
export const createResultWriter = <Result>(
  writeBatch: (batch: readonly Result[]) => Promise<void>,
  log: Log,
): ResultWriter<Result> => {
  let collected: Result[] = []
  let timer: NodeJS.Timeout | null = null
  let isClosing = false
  let last: Promise<unknown> = Promise.resolve()

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work, work)
    last = turn.catch(() => {})
    return turn
  }

  const writeCollected = async (): Promise<void> => {
    while (collected.length > 0) {
      const batch = collected.splice(0, maxBatch)
      try {
        await writeBatch(batch)
      } catch (error) {
        log.error({ err: error, count: batch.length }, 'webhook results could not be written')
        collected = [...batch, ...collected]
        if (isClosing) return
        await delay(pauseAfterErrorMs)
      }
    }
  }

  const flush = (): Promise<void> => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    return inTurn(writeCollected)
  }

  return {
    add: (result) => {
      collected.push(result)
      if (collected.length === maxBatch) void flush()
      else timer ??= setTimeout(() => void flush(), maxWaitMs)
    },
    between: inTurn,
    flush,
    close: () => {
      isClosing = true
      return flush()
    },
  }
}
