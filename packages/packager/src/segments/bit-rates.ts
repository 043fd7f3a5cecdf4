import type { PackagedSegment } from './packaged-track.ts'

/**
 * Measures the average and peak bit rate of segments in bits per second.
 *
 * RFC 8216, 4.1: the peak is the largest rate of contiguous segments that last between 0.5 and 1.5 target
 * durations. The lower bound is slightly smaller here, because a client computes it from rounded playlist
 * durations.
 */
export const measureBitRates = (
  segments: readonly Pick<PackagedSegment, 'durationTicks' | 'sizeBytes'>[],
  timescale: number,
): { peakBitsPerSecond: number; averageBitsPerSecond: number } => {
  const seconds = segments.map((segment) => segment.durationTicks / timescale)
  const targetSeconds = seconds.reduce((longest, duration) => Math.max(longest, Math.round(duration)), 1)
  const totalSeconds = seconds.reduce((sum, duration) => sum + duration, 0)
  const totalBytes = segments.reduce((sum, segment) => sum + segment.sizeBytes, 0)
  const averageBitsPerSecond = totalSeconds === 0 ? 0 : (totalBytes * 8) / totalSeconds
  let peakBitsPerSecond = averageBitsPerSecond
  for (let first = 0; first < segments.length; first++) {
    let rowSeconds = 0
    let rowBytes = 0
    for (let last = first; last < segments.length; last++) {
      rowSeconds += seconds[last]!
      rowBytes += segments[last]!.sizeBytes
      if (rowSeconds > targetSeconds * 1.5) break
      if (rowSeconds >= targetSeconds * 0.49)
        peakBitsPerSecond = Math.max(peakBitsPerSecond, (rowBytes * 8) / rowSeconds)
    }
  }
  return {
    peakBitsPerSecond: Math.ceil(peakBitsPerSecond),
    averageBitsPerSecond: Math.ceil(averageBitsPerSecond),
  }
}
