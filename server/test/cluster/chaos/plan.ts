import type { Random } from '../random.ts'
import { faults, type Fault } from './faults.ts'

export interface Planned {
  readonly fault: Fault
  readonly startMs: number
  readonly lengthMs: number
}

const pauseMs = [3_000, 10_000] as const
/** Share of the faults that begin during the previous one. */
const overlapShare = 0.25
/** No fault is active in this time before the end. */
const quietMs = 15_000

/** Each fault once, in random order, then random ones until the end. The same seed gives the same plan. */
export const planChaos = (random: Random, minutes: number, all: readonly Fault[] = faults): Planned[] => {
  const plan: Planned[] = []
  const queue = random.shuffle(all)
  const endMs = minutes * 60_000 - quietMs
  let atMs = 5_000
  let freeMs = 0
  for (;;) {
    const fault = queue.shift() ?? random.pick(all)
    const lengthMs = random.between(...fault.seconds) * 1_000
    const startMs = fault.isAlone === true ? Math.max(atMs, freeMs) : atMs
    const doneMs = startMs + lengthMs
    if (doneMs > endMs) return plan
    plan.push({ fault, startMs, lengthMs })
    freeMs = Math.max(freeMs, doneMs) + random.between(...pauseMs)
    const overlaps = fault.isAlone !== true && random.next() < overlapShare
    atMs = overlaps ? startMs + random.between(500, lengthMs) : freeMs
  }
}
