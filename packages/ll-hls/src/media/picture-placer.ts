import type { VideoUnit } from './live-media.ts'
import type { TrackFormat } from './track-format.ts'
import type { Frame } from './write-fragment.ts'

/** Upper limit for real composition offsets. */
const longestCompositionMs = 10_000

export interface PictureOrigin {
  readonly startSeconds: number
  readonly originMs: number
  readonly compositionMs: number
}

/** Places the pictures of a period on the timeline. */
export class PicturePlacer {
  readonly #origin: PictureOrigin
  #last: Frame | undefined
  #frameTicks = 0

  constructor(origin: PictureOrigin) {
    this.#origin = origin
  }

  get isEmpty(): boolean {
    return this.#last === undefined
  }
  /** Duration of the last picture, estimated by the one before. */
  get frameTicks(): number {
    return this.#frameTicks
  }
  /** End of the last picture; 0 without pictures. */
  get endTicks(): number {
    return this.#last ? this.#last.startTicks + this.#frameTicks : 0
  }

  place(unit: VideoUnit, { timescale }: TrackFormat): Frame {
    const { originMs, startSeconds, compositionMs } = this.#origin
    const last = this.#last
    const toTicks = (ms: number) => Math.round((ms * timescale) / 1_000)
    const shiftTicks = toTicks(Math.min(compositionMs, startSeconds * 1_000))
    const originTicks = toTicks(originMs - startSeconds * 1_000)
    const stamped = toTicks(unit.decodeMs) - originTicks
    // Pictures of low rates may be decoded seconds before they are shown, and no box has times before 0.
    const decodeTicks = Math.max(stamped, last ? last.decodeTicks + 1 : 0)
    const compositionMsInRange = Math.min(Math.max(unit.compositionMs, 0), longestCompositionMs)
    const compositionTicks = Math.max(
      0,
      toTicks(unit.decodeMs + compositionMsInRange) - originTicks - decodeTicks,
    )
    if (last) this.#frameTicks = decodeTicks - last.decodeTicks
    const isSync = unit.isKeyFrame
    this.#last = {
      decodeTicks,
      startTicks: decodeTicks + shiftTicks,
      compositionTicks,
      isSync,
      data: unit.data,
    }
    return this.#last
  }
}
