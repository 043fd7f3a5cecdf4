import type { CaptionDocument } from './caption-cues.ts'
import { writeWebVtt } from './write-web-vtt.ts'

/** As long as the target duration of video that we package, so that one load of each keeps pace. */
export const captionSegmentSeconds = 6

const mpegTicksPerSecond = 90_000

/**
 * RFC 8216 3.5: a segment holds every cue that is to be seen in its time, also one that began before it, with times of the whole text; the
 * map says where zero of these lies on the timeline of the media.
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
