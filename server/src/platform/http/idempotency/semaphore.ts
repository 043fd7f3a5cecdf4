/** A semaphore with a total limit and a limit per owner; waiting callers enter in order of arrival. */
export interface Semaphore {
  /** Resolves with a release function, to be called once, or with null when no place became free in time. */
  readonly acquire: (owner: number, patienceMs: number) => Promise<(() => void) | null>
}

interface Waiter {
  readonly owner: number
  readonly admit: () => void
}

export const createSemaphore = (places: number, placesOfOneOwner: number): Semaphore => {
  const inside = new Map<number, number>()
  const waiting = new Set<Waiter>()
  let free = places

  const hasRoom = (owner: number): boolean => free > 0 && (inside.get(owner) ?? 0) < placesOfOneOwner

  const release = (owner: number): void => {
    free += 1
    const left = (inside.get(owner) ?? 0) - 1
    if (left > 0) inside.set(owner, left)
    else inside.delete(owner)
    for (const waiter of waiting)
      if (hasRoom(waiter.owner)) {
        waiting.delete(waiter)
        waiter.admit()
        return
      }
  }

  const take = (owner: number): (() => void) => {
    free -= 1
    inside.set(owner, (inside.get(owner) ?? 0) + 1)
    return () => release(owner)
  }

  return {
    acquire: async (owner, patienceMs) => {
      if (hasRoom(owner)) return take(owner)
      const { promise, resolve } = Promise.withResolvers<(() => void) | null>()
      const timer = setTimeout(() => {
        waiting.delete(waiter)
        resolve(null)
      }, patienceMs)
      const waiter: Waiter = {
        owner,
        admit: () => {
          clearTimeout(timer)
          resolve(take(owner))
        },
      }
      waiting.add(waiter)
      return promise
    },
  }
}
