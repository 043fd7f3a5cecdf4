/** Encoders of one process that run on demand. */
export interface EncoderTurns {
  /** Whether all encoders are in use. */
  readonly isFull: () => boolean
  /** Whether an encoder may begin with a chunk that no viewer waits for yet. */
  readonly isFree: () => boolean
  /** Whether more encoders are at work than have enough cores. */
  readonly isOverfull: () => boolean
  /** Resolves when an encoder may begin again. */
  readonly freed: () => Promise<void>
  readonly take: () => EncoderTurn
}

export interface EncoderTurn {
  /** The encoder needs less than all cores from now on, so the next one may start. */
  readonly pass: () => void
  readonly end: () => void
}

/**
 * Encoders ahead of viewers take turns, because two of them that share the cores finish together: the segment that is needed
 * first would come as late as the second one. Chunks that viewers wait for do not wait for a turn.
 */
export const createEncoderTurns = ({
  encoderCount,
  atOnce,
}: {
  readonly encoderCount: number
  /** Number of encoders that have enough cores at the same time. */
  readonly atOnce: number
}): EncoderTurns => {
  let running = 0
  let busy = 0
  let change = Promise.withResolvers<void>()
  const isFree = (): boolean => busy < atOnce && running < encoderCount
  const announce = (): void => {
    if (!isFree()) return
    change.resolve()
    change = Promise.withResolvers<void>()
  }
  return {
    isFull: () => running >= encoderCount,
    isFree,
    isOverfull: () => busy > atOnce,
    freed: () => change.promise,
    take: () => {
      running += 1
      busy += 1
      let isBusy = true
      const pass = (): void => {
        if (!isBusy) return
        isBusy = false
        busy -= 1
        announce()
      }
      return {
        pass,
        end: () => {
          running -= 1
          pass()
          announce()
        },
      }
    },
  }
}
