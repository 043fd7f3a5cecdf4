import { createSampleTable, writeMediaSegment, type MediaSegment } from '@zoetrope/isobmff'

/** A frame on the media timeline, in ticks. */
export interface Frame {
  readonly decodeTicks: number
  /** Decode time moved by what the pictures of the stream are shown later: the timeline on which parts and segments are cut. */
  readonly startTicks: number
  readonly compositionTicks: number
  readonly isSync: boolean
  readonly data: Buffer
}

export interface FragmentOptions extends Required<Pick<MediaSegment, 'trackId' | 'sequenceNumber'>> {
  /** Where the last of the frames ends. */
  readonly endTicks: number
  readonly isContinuation: boolean
}

/** One buffer, so that frames are copied once, and nothing of the publisher's buffers is kept. */
export const writeFragment = (
  frames: readonly Frame[],
  { endTicks, ...options }: FragmentOptions,
): Buffer => {
  const table = createSampleTable(frames.length)
  frames.forEach((frame, index) => {
    const end = frames[index + 1]?.startTicks ?? endTicks
    table.sizes[index] = frame.data.length
    table.durations[index] = Math.max(0, end - frame.startTicks)
    table.compositionOffsets[index] = frame.compositionTicks
    table.isSync[index] = frame.isSync ? 1 : 0
  })
  return Buffer.concat(
    writeMediaSegment({
      ...options,
      baseDecodeTime: frames[0]!.decodeTicks,
      table,
      firstSample: 0,
      sampleCount: frames.length,
      data: frames.map(({ data }) => data),
    }),
  )
}
