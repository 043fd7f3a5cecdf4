import { ManifestError } from './manifest-error.ts'
import type { LiveManifest, LivePeriod } from './manifest.ts'
import { longestSegmentSeconds } from './segment-timeline.ts'
import { adaptationSet, checkRepresentation, durationText } from './write-manifest.ts'
import { element, writeXml, type XmlElement } from './xml.ts'

/**
 * Writes the manifest of a live presentation: one period for each run without discontinuities, with the
 * segments in the DVR window.
 * Throws ManifestError on values that would make it invalid.
 */
export function writeLiveManifest(manifest: LiveManifest): string {
  const { periods } = manifest
  const representations = periods.flatMap(({ adaptationSets }) =>
    adaptationSets.flatMap((set) => set.representations),
  )
  representations.forEach(checkRepresentation)
  if (new Set(periods.map(({ id }) => id)).size < periods.length)
    throw new ManifestError('Two periods have the same id. Ids must be unique.')
  return writeXml(
    element(
      'MPD',
      {
        xmlns: 'urn:mpeg:dash:schema:mpd:2011',
        profiles: 'urn:mpeg:dash:profile:isoff-live:2011',
        type: manifest.hasEnded ? 'static' : 'dynamic',
        availabilityStartTime: instant(manifest.availableFrom),
        publishTime: instant(manifest.publishedAt),
        ...(manifest.hasEnded
          ? { mediaPresentationDuration: durationText(Math.max(...periods.map(endSeconds))) }
          : {
              minimumUpdatePeriod: durationText(manifest.updateSeconds),
              timeShiftBufferDepth: durationText(manifest.windowSeconds),
              suggestedPresentationDelay: durationText(manifest.delaySeconds),
            }),
        minBufferTime: durationText(Math.max(1, ...representations.map(longestSegmentSeconds))),
      },
      [...periods.map(period), ...(manifest.hasEnded ? [] : [clock(manifest.timeUri)])],
    ),
  )
}

/** ISO/IEC 23009-1 5.8.4.11. Without UTCTiming, dash.js queries a time server of its own choice. */
const clock = (uri: string): XmlElement =>
  element('UTCTiming', { schemeIdUri: 'urn:mpeg:dash:utc:http-iso:2014', value: uri })

function period({ id, startSeconds, timelineStartSeconds, adaptationSets }: LivePeriod): XmlElement {
  const start = startSeconds === 0 ? 'PT0S' : durationText(startSeconds)
  return element(
    'Period',
    { id, start },
    adaptationSets.map((set, index) => adaptationSet(set, index + 1, timelineStartSeconds)),
  )
}

/**
 * Returns the end of the period relative to `availableFrom`. Periods keep their positions when a broadcast
 * ends, so playback continues.
 */
function endSeconds({ startSeconds, timelineStartSeconds, adaptationSets }: LivePeriod): number {
  const ends = adaptationSets
    .flatMap((set) => set.representations)
    .map(({ segments, timescale }) => {
      const { startTicks, durationTicks } = segments.at(-1)!
      return (startTicks + durationTicks) / timescale
    })
  return startSeconds - timelineStartSeconds + Math.max(...ends)
}

function instant(date: Date): string {
  if (Number.isNaN(date.getTime())) throw new ManifestError('A date of the live manifest is invalid.')
  return date.toISOString()
}
