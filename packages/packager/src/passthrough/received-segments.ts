import type { PassthroughTrack } from './plan-passthrough.ts'

/**
 * Returns, for each segment, how many bytes of the source must be received to serve it and all earlier
 * segments.
 */
export const segmentByteEnds = ({ segments, samples }: PassthroughTrack): Float64Array => {
  const byteEnds = new Float64Array(segments.length)
  let reached = 0
  for (const [number, { firstSample, sampleCount }] of segments.entries()) {
    for (let index = firstSample; index < firstSample + sampleCount; index++)
      reached = Math.max(reached, samples.offsets[index]! + samples.sizes[index]!)
    byteEnds[number] = reached
  }
  return byteEnds
}

/**
 * Counts the segments that can be served from the received bytes. Excludes the last one of a fragmented
 * source, because its end moves as more bytes arrive. Earlier cuts are final (`chooseCuts`).
 */
export const countReceivedSegments = (
  byteEnds: Float64Array,
  receivedBytes: number,
  { isFragmented }: { readonly isFragmented: boolean },
): number => {
  const firstMissing = byteEnds.findIndex((end) => end > receivedBytes)
  const here = firstMissing === -1 ? byteEnds.length : firstMissing
  return isFragmented ? Math.min(here, Math.max(0, byteEnds.length - 1)) : here
}
