import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../kernel/log.ts'

export interface DatabaseQueue {
  /** Does the work after all that was added before, again and again until the database has taken it. It must do no harm when done twice. */
  readonly add: (work: () => Promise<void>) => void
  /** As `add`, but nothing is lost if it is left out: it is while much is waiting. */
  readonly addIfRoom: (work: () => Promise<void>) => void
  /** Resolves when all that was added before is done or given up. */
  readonly settled: () => Promise<void>
  /** What waits is tried once more, at once, and then given up. */
  readonly hurry: () => void
}

const roomFor = 50
const firstPauseMs = 200
const longestPauseMs = 5_000

/** What the database itself refuses is wrong, and stays wrong; but for its own troubles (08, 53, 57) and conflicts (40, 55). */
const isPassing = (error: unknown): boolean => {
  const { name, code = '' } = error as { name?: string; code?: string }
  return name === 'PostgresError' ? /^(08|40|53|55|57)/.test(code) : code !== '' && !code.startsWith('ERR_')
}

/** The rows of a broadcast are written one behind the other, beside its frames: a database that is away for a while holds nothing up. */
export const createDatabaseQueue = (log: Log): DatabaseQueue => {
  let last: Promise<void> = Promise.resolve()
  let waitingCount = 0
  let hurry = new AbortController()
  let isHurried = false

  const run = async (work: () => Promise<void>): Promise<void> => {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      const isLastTry = isHurried
      try {
        return await work()
      } catch (error) {
        if (isLastTry || !isPassing(error))
          return log.error({ err: error }, 'a live stream is not as its rows say')
        log.warn({ err: error }, 'what a live stream does is written later')
      }
      await delay(pauseMs, null, { signal: hurry.signal, ref: false }).catch(() => {})
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
    hurry: () => {
      isHurried = true
      hurry.abort()
    },
  }
}
