import { readExactly, writeMediaSegment, type RandomAccessReader } from '@zoetrope/isobmff'
import type { PassthroughSegment, PassthroughTrack } from './plan-passthrough.ts'
import { planReads, readBytesOf, type PlannedRead } from './plan-reads.ts'
import { pickSamples } from '../segments/sample-bytes.ts'

/**
 * Packages one segment from the source, usually with a single read. `index` starts at 0. Throws RangeError
 * for an unknown index and IsobmffError when the source has been truncated.
 */
export const readPassthroughSegment = async (
  reader: RandomAccessReader,
  track: PassthroughTrack,
  index: number,
): Promise<Buffer[]> => {
  const segment = segmentOf(track, index)
  const reads = planReads(track.samples, segment)
  const data = await Promise.all(reads.map((read) => readSamples(reader, track, read)))
  return writeMediaSegment({
    sequenceNumber: index + 1,
    baseDecodeTime: segment.baseDecodeTime,
    table: track.samples,
    firstSample: segment.firstSample,
    sampleCount: segment.sampleCount,
    data: data.flat(),
  })
}

/**
 * Returns how many source bytes `readPassthroughSegment` holds in memory. For audio, these include the video in
 * between.
 */
export const segmentReadBytes = (track: PassthroughTrack, index: number): number =>
  readBytesOf(planReads(track.samples, segmentOf(track, index)))

const segmentOf = ({ segments }: PassthroughTrack, index: number): PassthroughSegment => {
  const segment = segments[index]
  if (segment === undefined)
    throw new RangeError(`Segment ${index} does not exist. The track has ${segments.length} segments.`)
  return segment
}

/** Copies audio out of the surrounding video; otherwise cached segments would keep the video in memory. */
const readSamples = async (
  reader: RandomAccessReader,
  track: PassthroughTrack,
  read: PlannedRead,
): Promise<Buffer[]> => {
  const readBytes = read.endOffset - read.startOffset
  const bytes = await readExactly(reader, read.startOffset, readBytes)
  const pieces = pickSamples(track.samples, read, bytes, read.startOffset)
  const pickedBytes = pieces.reduce((sum, piece) => sum + piece.length, 0)
  return pickedBytes < readBytes / 2 ? [Buffer.concat(pieces)] : pieces
}
