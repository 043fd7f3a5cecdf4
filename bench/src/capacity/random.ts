/** Uniform numbers from 0 to 1, the same for the same seed (mulberry32). */
export const createRandom = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Box–Muller. */
const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

export const exponential = (random: () => number, mean: number): number => -mean * Math.log(1 - random())

/** A log-normal number with this mean. `spread` is the standard deviation of its logarithm. */
export const logNormal = (random: () => number, mean: number, spread: number): number =>
  mean * Math.exp(spread * normal(random) - (spread * spread) / 2)
