import { createSampleTable, writeMediaSegment, type SampleTable } from '@zoetrope/isobmff'
import { timelineStartSeconds } from '../segments/packaged-track.ts'
import type { PassthroughTrack } from './plan-passthrough.ts'

/**
 * Silent segments between the start of the timeline and the first audio sample. They use the track's own init
 * segment.
 */
export interface SilentLead {
  readonly segments: readonly { readonly startTicks: number; readonly durationTicks: number }[]
  readonly segment: (index: number) => Buffer
}

const segmentSeconds = 4
/** Browsers start playback immediately when audio begins up to this much later. */
export const toleratedGapSeconds = 0.04
/** Passthrough AAC frames last between 21 and 64 ms at every sample rate. */
const plausibleFrameSeconds = { least: 0.01, most: 0.1 }
const sampledFrames = 64

/**
 * Fills the gap before the first audio sample with whole AAC frames on the audio's frame grid. The first
 * frame may therefore start before the timeline, like priming.
 *
 * Returns null when there is no gap or no silent frame for the decoder configuration.
 */
export const createSilentLead = (track: PassthroughTrack): SilentLead | null => {
  const { timescale, samples, segments, silentFrame: frame } = track
  const [first] = segments
  if (first === undefined || frame === null) return null
  const gapTicks = first.startTicks - timelineStartSeconds * timescale
  if (gapTicks <= toleratedGapSeconds * timescale) return null
  const frameTicks = medianFrameTicks(samples, first.firstSample)
  const frameSeconds = frameTicks / timescale
  if (frameSeconds < plausibleFrameSeconds.least || frameSeconds > plausibleFrameSeconds.most) return null

  const frameCount = Math.ceil(gapTicks / frameTicks)
  const framesPerSegment = Math.floor((segmentSeconds * timescale) / frameTicks)
  const startTicks = first.startTicks - frameCount * frameTicks
  const framesOf = (index: number) => Math.min(framesPerSegment, frameCount - index * framesPerSegment)
  const startOf = (index: number) => startTicks + index * framesPerSegment * frameTicks
  return {
    segments: Array.from({ length: Math.ceil(frameCount / framesPerSegment) }, (_none, index) => ({
      startTicks: startOf(index),
      durationTicks: framesOf(index) * frameTicks,
    })),
    segment: (index) => writeFrames(frame, framesOf(index), { startTicks: startOf(index), frameTicks }),
  }
}

const writeFrames = (
  frame: Buffer,
  count: number,
  { startTicks, frameTicks }: { readonly startTicks: number; readonly frameTicks: number },
): Buffer => {
  const table = createSampleTable(count)
  table.sizes.fill(frame.length)
  table.durations.fill(frameTicks)
  for (let index = 1; index < count; index++) table.decodeTimes[index] = index * frameTicks
  table.isSync.fill(1)
  return Buffer.concat(
    writeMediaSegment({
      sequenceNumber: 1,
      baseDecodeTime: startTicks,
      table,
      firstSample: 0,
      sampleCount: count,
      data: Array.from({ length: count }, () => frame),
    }),
  )
}

/**
 * Uses the median, because durations alternate when the timescale is not a multiple of the frame duration and
 * gaps distort the mean.
 */
const medianFrameTicks = ({ durations }: SampleTable, firstSample: number): number => {
  const sorted = durations.slice(firstSample, firstSample + sampledFrames).sort()
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
