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

/**
 * Returns a single buffer with memory of its own. So frames are copied once, no buffer of the publisher is retained, and
 * small fragments do not retain the pool of Node.js, in which messages that arrive later are allocated, too.
 */
export const writeFragment = (
  frames: readonly Frame[],
  { endTicks, ...options }: FragmentOptions,
): Buffer => {
  const table = createSampleTable(frames.length)
  for (let index = 0; index < frames.length; index++) {
    const frame = frames[index]!
    const end = frames[index + 1]?.startTicks ?? endTicks
    table.sizes[index] = frame.data.length
    table.durations[index] = Math.max(0, end - frame.startTicks)
    table.compositionOffsets[index] = frame.compositionTicks
    table.isSync[index] = frame.isSync ? 1 : 0
  }
  const pieces = writeMediaSegment({
    ...options,
    baseDecodeTime: frames[0]!.decodeTicks,
    table,
    firstSample: 0,
    sampleCount: frames.length,
    data: frames.map(({ data }) => data),
  })
  const fragment = Buffer.allocUnsafeSlow(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    fragment.set(piece, at)
    at += piece.length
  }
  return fragment
}
