import { Problem } from '../kernel/problem.ts'

interface Waiting {
  readonly units: number
  readonly start: () => void
}

/** What a process can do at a time, shared by all requests: who finds it used up waits, and is sent away when that takes too long. */
export interface Capacity {
  /** More units than there are at all wait for all of them. */
  readonly use: <T>(units: number, work: () => Promise<T>) => Promise<T>
}

const busy = () =>
  new Problem('unavailable', 'Too many viewers ask for too much at a time; try again.', {
    headers: { 'Retry-After': '5' },
  })

export const createCapacity = (
  totalUnits: number,
  waitMs: number,
  refusal: () => Problem = busy,
): Capacity => {
  let freeUnits = totalUnits
  // First come, first served: else large ones would wait for ever.
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
