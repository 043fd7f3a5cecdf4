import { createSampleTable, writeMediaSegment, type MediaSegment } from '@zoetrope/isobmff'

export interface Frame {
  readonly decodeTicks: number
  /**
   * Decode time shifted by the presentation delay of the stream's video. Parts and segments are cut on this
   * timeline.
   */
  readonly startTicks: number
  readonly compositionTicks: number
  readonly isSync: boolean
  readonly data: Buffer
}

export interface FragmentOptions extends Required<Pick<MediaSegment, 'trackId' | 'sequenceNumber'>> {
  readonly endTicks: number
  readonly isContinuation: boolean
}

/** Returns a single buffer, so that frames are copied once and no buffer of the publisher is retained. */
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
