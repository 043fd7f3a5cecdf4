/** Lets so many in at once; the others wait in the order in which they came. */
export interface Gate {
  /** Resolves with the way out, to be called once. */
  readonly enter: () => Promise<() => void>
}

export const createGate = (places: number): Gate => {
  let free = places
  const waiting: (() => void)[] = []
  const leave = (): void => {
    const next = waiting.shift()
    if (next === undefined) free += 1
    else next()
  }
  return {
    enter: async () => {
      if (free > 0) free -= 1
      else await new Promise<void>((resolve) => waiting.push(resolve))
      return leave
    },
  }
}
