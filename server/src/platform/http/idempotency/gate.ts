/** A semaphore with a total limit and a limit per owner; waiting callers enter in order of arrival. */
export interface Gate {
  /** Resolves with a release function, to be called once, or with null when no place became free in time. */
  readonly enter: (owner: number, patienceMs: number) => Promise<(() => void) | null>
}

interface Waiter {
  readonly owner: number
  readonly letIn: () => void
}

export const createGate = (places: number, placesOfOneOwner: number): Gate => {
  const inside = new Map<number, number>()
  const waiting = new Set<Waiter>()
  let free = places

  const hasPlace = (owner: number): boolean => free > 0 && (inside.get(owner) ?? 0) < placesOfOneOwner

  const leave = (owner: number): void => {
    free += 1
    const left = (inside.get(owner) ?? 0) - 1
    if (left > 0) inside.set(owner, left)
    else inside.delete(owner)
    for (const waiter of waiting)
      if (hasPlace(waiter.owner)) {
        waiting.delete(waiter)
        waiter.letIn()
        return
      }
  }

  const goIn = (owner: number): (() => void) => {
    free -= 1
    inside.set(owner, (inside.get(owner) ?? 0) + 1)
    return () => leave(owner)
  }

  return {
    enter: async (owner, patienceMs) => {
      if (hasPlace(owner)) return goIn(owner)
      const { promise, resolve } = Promise.withResolvers<(() => void) | null>()
      const timer = setTimeout(() => {
        waiting.delete(waiter)
        resolve(null)
      }, patienceMs)
      const waiter: Waiter = {
        owner,
        letIn: () => {
          clearTimeout(timer)
          resolve(goIn(owner))
        },
      }
      waiting.add(waiter)
      return promise
    },
  }
}
