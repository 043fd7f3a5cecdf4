import { writeLiveManifest, type AdaptationSet, type LivePeriod, type Representation } from '@zoetrope/dash'
import type { LiveSegment, PeriodOrigin } from '../media/live-media.ts'
import type { Rendition } from '../renditions/rendition.ts'
import { uris } from './segment-lines.ts'

export interface LiveManifestInput {
  readonly renditions: readonly { rendition: Rendition; peakBitsPerSecond: number }[]
  /** Origins of all periods that still have a segment, oldest first. */
  readonly origins: readonly PeriodOrigin[]
  readonly hasEnded: boolean
  readonly availableFromMs: number
  readonly publishedAtMs: number
  readonly windowSeconds: number
  readonly targetDurationSeconds: number
  readonly frameRates: ReadonlyMap<number, number>
}

/** Relative to the manifest, so that it is served by the same host. */
export const timeUri = 'time'

/** Players stay three segments behind the live edge, like HLS players that load whole segments. */
const segmentsBehind = 3

export const renderLiveManifest = (input: LiveManifestInput): string | undefined => {
  const periods = input.origins.flatMap((origin): LivePeriod[] => {
    const adaptationSets = (['video', 'audio'] as const).flatMap((kind): AdaptationSet[] => {
      const representations = input.renditions
        .filter(({ rendition }) => rendition.kind === kind)
        .flatMap((item) => representationOf(item, origin.version, input.frameRates))
      return representations.length === 0 ? [] : [{ kind, representations }]
    })
    const startSeconds = (origin.startedAtMs - input.availableFromMs) / 1_000
    const timelineStartSeconds = origin.timelineSeconds
    const id = origin.epoch === 0 ? `${origin.version}` : `${origin.version}-${origin.epoch}`
    return adaptationSets.length === 0 ? [] : [{ id, startSeconds, timelineStartSeconds, adaptationSets }]
  })
  if (periods.length === 0) return undefined
  return writeLiveManifest({
    hasEnded: input.hasEnded,
    availableFrom: new Date(input.availableFromMs),
    publishedAt: new Date(input.publishedAtMs),
    windowSeconds: input.windowSeconds,
    delaySeconds: segmentsBehind * input.targetDurationSeconds,
    updateSeconds: input.targetDurationSeconds,
    timeUri,
    periods,
  })
}

/**
 * A SegmentTimeline cannot express gaps, because numbers continue across them. The timeline therefore starts
 * after the last gap that is followed by media.
 */
const representationOf = (
  { rendition, peakBitsPerSecond }: LiveManifestInput['renditions'][number],
  version: number,
  frameRates: LiveManifestInput['frameRates'],
): Representation[] => {
  const ofPeriod = rendition.segments.filter((segment) => segment.initVersion === version)
  const whole = ofPeriod.slice(0, ofPeriod.findLastIndex(({ isGap }) => !isGap) + 1)
  const segments: readonly LiveSegment[] = whole.slice(whole.findLastIndex(({ isGap }) => isGap) + 1)
  const format = rendition.formatOf(version)
  const [first] = segments
  if (first === undefined || format === undefined) return []
  const { kind, name } = rendition
  const frameRate = frameRates.get(version)
  const representation: Representation = {
    id: name,
    codecs: format.codec,
    bandwidthBitsPerSecond: Math.max(1, peakBitsPerSecond),
    timescale: format.timescale,
    initUri: `${name}/${uris.init(version, rendition)}`,
    mediaUriTemplate: `${name}/${uris.segments(first.epoch)}`,
    startNumber: first.number,
    segments: segments.map(({ startTicks, durationTicks }) => ({ startTicks, durationTicks })),
    ...(kind === 'video'
      ? {
          widthPixels: format.widthPixels,
          heightPixels: format.heightPixels,
          ...(frameRate !== undefined && { frameRate }),
        }
      : { sampleRateHz: format.sampleRateHz, channels: format.channels }),
  }
  return [representation]
}
