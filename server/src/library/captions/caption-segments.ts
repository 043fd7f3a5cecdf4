import type { CaptionDocument } from './text/caption-cues.ts'
import { writeWebVtt } from './text/write-web-vtt.ts'

/** Equals the target duration of packaged video, so that players load captions at the pace of the video. */
export const captionSegmentSeconds = 6

const mpegTicksPerSecond = 90_000

/**
 * Returns a WebVTT segment with every cue visible in its time span (RFC 8216 3.5), including cues that start
 * earlier. Cue times count from the start of the whole text. X-TIMESTAMP-MAP maps their zero to the media
 * timeline.
 */
export const captionSegment = (
  { regions, cues }: CaptionDocument,
  index: number,
  timelineStartSeconds: number,
): string => {
  const startMs = index * captionSegmentSeconds * 1_000
  const endMs = startMs + captionSegmentSeconds * 1_000
  return writeWebVtt({ regions, cues: cues.filter((cue) => cue.startMs < endMs && cue.endMs > startMs) }, [
    `X-TIMESTAMP-MAP=MPEGTS:${timelineStartSeconds * mpegTicksPerSecond},LOCAL:00:00:00.000`,
  ])
}
