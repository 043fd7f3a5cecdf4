import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../../../platform/log/log.ts'

/**
 * Together these limits keep the number of commits small and delay a result no longer than a request takes.
 */
const maxBatch = 256
const maxWaitMs = 15
const pauseAfterErrorMs = 1_000

export interface ResultWriter<Result> {
  readonly add: (result: Result) => void
  readonly between: <T>(work: () => Promise<T>) => Promise<T>
  /** Runs `work` between two batches, never during one. */
  /** Resolves when all results added before are written. */
  readonly flush: () => Promise<void>
  /** Writes the remaining results; resolves when they are written or the database fails again. */
  readonly close: () => Promise<void>
}

/** Collects results and writes them in batches, one at a time, retrying until the database accepts them. */
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
        log.error({ err: error, count: batch.length }, 'cannot store webhook results')
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
