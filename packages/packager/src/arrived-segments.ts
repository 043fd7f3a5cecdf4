import type { InPlaceTrack } from './plan-in-place.ts'

/** For each segment of a track, how many bytes of the source must be there to serve it and all before it. */
export const segmentArrivals = ({ segments, samples }: InPlaceTrack): Float64Array => {
  const arrivals = new Float64Array(segments.length)
  let reached = 0
  for (const [number, { firstSample, sampleCount }] of segments.entries()) {
    for (let index = firstSample; index < firstSample + sampleCount; index++)
      reached = Math.max(reached, samples.offsets[index]! + samples.sizes[index]!)
    arrivals[number] = reached
  }
  return arrivals
}

/**
 * How many segments can be served of a source of which so many bytes are there. Of a fragmented one the last is left out: its end is where
 * the bytes end by chance, and moves on with them; the cuts before it stay whatever follows (`chooseCuts`).
 */
export const countArrivedSegments = (
  arrivals: Float64Array,
  receivedBytes: number,
  { isFragmented }: { readonly isFragmented: boolean },
): number => {
  const firstMissing = arrivals.findIndex((end) => end > receivedBytes)
  const here = firstMissing === -1 ? arrivals.length : firstMissing
  return isFragmented ? Math.min(here, Math.max(0, arrivals.length - 1)) : here
}
