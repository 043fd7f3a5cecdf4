import type { LadderRendition, LadderPeriod, LadderTrack, LivePackager, TrackFormat } from '@zoetrope/ll-hls'
import { videoTimescale } from '@zoetrope/ll-hls'
import type { EncodedFrame } from './ladder-run.ts'

export interface RungOutputs {
  readonly addFormat: (rung: number, format: TrackFormat) => void
  readonly addFrame: (rung: number, frame: EncodedFrame) => void
  /** Sets the period of all frames from this encoder. */
  readonly assign: (period: LadderPeriod) => void
  /** Allows delivery, because all earlier output has been delivered. */
  readonly open: () => void
  readonly period: () => LadderPeriod | undefined
  readonly close: () => void
}

type Held = { readonly rung: number } & ({ readonly format: TrackFormat } | { readonly frame: EncodedFrame })

/** Holds encoded frames until their period is known and the encoder of the previous period has ended. */
export const createRungOutputs = (
  { ladder }: Pick<LivePackager, 'ladder'>,
  tracks: readonly LadderTrack[],
): RungOutputs => {
  let held: Held[] = []
  let renditions: readonly LadderRendition[] = []
  let period: LadderPeriod | undefined
  let isOpen = false

  const deliver = (item: Held, { version, originMs, startTicks }: LadderPeriod): void => {
    const rendition = renditions[item.rung]!
    if ('format' in item) return rendition.begin(item.format)
    const { shownMs, isKeyFrame, data } = item.frame
    const ticks = startTicks + Math.round(((shownMs - originMs) * videoTimescale) / 1_000)
    rendition.add({ version, ticks, isKeyFrame, data })
  }
  const take = (item: Held): void => {
    if (isOpen && period !== undefined) deliver(item, period)
    else held.push(item)
  }
  const flush = (): void => {
    if (!isOpen || period === undefined) return
    const items = held
    held = []
    for (const item of items) deliver(item, period)
  }

  return {
    addFormat: (rung, format) => take({ rung, format }),
    addFrame: (rung, frame) => take({ rung, frame }),
    assign: (assigned) => {
      period = assigned
      // From now on the rungs may lag behind the source without counting as missing.
      renditions = tracks.map((track) => ladder.expect(track))
      flush()
    },
    open: () => {
      isOpen = true
      flush()
    },
    period: () => period,
    close: () => {
      held = []
      if (period !== undefined) for (const track of tracks) ladder.finish(track, period.version)
    },
  }
}
