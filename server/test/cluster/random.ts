/** Random numbers that a seed repeats (mulberry32). */
export interface Random {
  readonly next: () => number
  readonly between: (least: number, most: number) => number
  readonly pick: <T>(list: readonly T[]) => T
  readonly shuffle: <T>(list: readonly T[]) => T[]
}

export const createRandom = (seed: number): Random => {
  let state = seed | 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const pick = <T>(list: readonly T[]): T => {
    const one = list[Math.floor(next() * list.length)]
    if (one === undefined) throw new Error('nothing to pick')
    return one
  }
  return {
    next,
    between: (least, most) => least + next() * (most - least),
    pick,
    shuffle: (list) =>
      list
        .map((one) => ({ one, rank: next() }))
        .toSorted((a, b) => a.rank - b.rank)
        .map(({ one }) => one),
  }
}
