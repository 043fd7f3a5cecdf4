import { availableParallelism } from 'node:os'

export interface LadderSlots {
  readonly take: () => boolean
  readonly free: () => void
  readonly takenCount: () => number
}

/** A ladder of 1080p at 30 pictures a second uses about two cores of 2020. */
const coresPerLadder = 2

export const usualLadderSlots = (): number => Math.max(1, Math.floor(availableParallelism() / coresPerLadder))

export const createLadderSlots = (most: number): LadderSlots => {
  let taken = 0
  return {
    take: () => {
      if (taken >= most) return false
      taken++
      return true
    },
    free: () => void taken--,
    takenCount: () => taken,
  }
}
