import { Problem } from '../../platform/base/problem.ts'

interface Waiting {
  readonly units: number
  readonly start: () => void
}

/**
 * Semaphore shared by all requests of a process. A request waits for free units and is refused after
 * `waitMs`.
 */
export interface Capacity {
  /** A request for more units than exist waits for all of them. */
  readonly use: <T>(units: number, work: () => Promise<T>) => Promise<T>
}

const busy = () => new Problem('too_many_viewers', {}, { headers: { 'Retry-After': '5' } })

export const createCapacity = (
  totalUnits: number,
  waitMs: number,
  refusal: () => Problem = busy,
): Capacity => {
  let freeUnits = totalUnits
  // First in, first out: otherwise large requests would starve.
  const queue = new Set<Waiting>()

  const serve = () => {
    for (const waiting of queue) {
      if (waiting.units > freeUnits) return
      queue.delete(waiting)
      freeUnits -= waiting.units
      waiting.start()
    }
  }

  const take = async (units: number): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiting = { units, start: resolve }
    queue.add(waiting)
    serve()
    if (!queue.has(waiting)) return promise
    const timer = setTimeout(() => {
      if (!queue.delete(waiting)) return
      reject(refusal())
      serve()
    }, waitMs)
    try {
      await promise
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    use: async (units, work) => {
      const taken = Math.min(units, totalUnits)
      await take(taken)
      try {
        return await work()
      } finally {
        freeUnits += taken
        serve()
      }
    },
  }
}
