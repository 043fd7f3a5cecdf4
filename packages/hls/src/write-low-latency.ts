import { checkedUri, quoted, wholeNumber, writeAttributes } from './attribute-list.ts'
import type { LowLatencyFields, Part, RenditionReport, ServerControl } from './low-latency.ts'
import { PlaylistError } from './playlist-error.ts'

export function lowLatencyHeader(playlist: LowLatencyFields, targetDurationSeconds: number): string[] {
  const { serverControl, partTargetSeconds, skippedSegments } = playlist
  const lines: string[] = []
  if (serverControl) {
    checkServerControl(serverControl, targetDurationSeconds, partTargetSeconds)
    lines.push(`#EXT-X-SERVER-CONTROL:${serverControlAttributes(serverControl)}`)
  }
  if (partTargetSeconds !== undefined)
    lines.push(`#EXT-X-PART-INF:PART-TARGET=${secondsText('partTargetSeconds', partTargetSeconds)}`)
  if (skippedSegments !== undefined) {
    if (serverControl?.canSkipUntilSeconds === undefined || skippedSegments === 0)
      throw new PlaylistError('A delta update requires at least one skipped segment and canSkipUntilSeconds.')
    lines.push(`#EXT-X-SKIP:SKIPPED-SEGMENTS=${wholeNumber('skippedSegments', skippedSegments)}`)
  }
  return lines
}

export function partTag(part: Part, partTargetSeconds: number | undefined): string {
  // RFC 8216bis 4.4.3.7 and 4.4.4.9: parts require EXT-X-PART-INF, and no part exceeds the part target.
  if (partTargetSeconds === undefined)
    throw new PlaylistError('A playlist with parts requires partTargetSeconds.')
  if (part.durationSeconds > partTargetSeconds + roundingSeconds)
    throw new PlaylistError(
      `A part of ${part.durationSeconds} s exceeds the part target of ${partTargetSeconds} s.`,
    )
  return `#EXT-X-PART:${writeAttributes({
    DURATION: secondsText('durationSeconds', part.durationSeconds),
    URI: quoted(checkedUri(part.uri)),
    INDEPENDENT: part.isIndependent ? 'YES' : undefined,
    GAP: part.isGap ? 'YES' : undefined,
  })}`
}

export function lowLatencyFooter(playlist: LowLatencyFields): string[] {
  const { openParts = [], partTargetSeconds, preloadHintUri, renditionReports = [] } = playlist
  return [
    ...openParts.map((part) => partTag(part, partTargetSeconds)),
    ...(preloadHintUri === undefined
      ? []
      : [`#EXT-X-PRELOAD-HINT:TYPE=PART,URI=${quoted(checkedUri(preloadHintUri))}`]),
    ...renditionReports.map((report) => `#EXT-X-RENDITION-REPORT:${reportAttributes(report)}`),
  ]
}

/** Durations are rounded to six decimals. */
const roundingSeconds = 1e-6

function reportAttributes({ uri, lastMediaSequence, lastPart }: RenditionReport): string {
  return writeAttributes({
    URI: quoted(checkedUri(uri)),
    'LAST-MSN': wholeNumber('lastMediaSequence', lastMediaSequence),
    'LAST-PART': lastPart === undefined ? undefined : wholeNumber('lastPart', lastPart),
  })
}

function serverControlAttributes(control: ServerControl): string {
  const { canSkipUntilSeconds, holdBackSeconds, partHoldBackSeconds } = control
  const optional = (name: string, seconds: number | undefined) =>
    seconds === undefined ? undefined : secondsText(name, seconds)
  return writeAttributes({
    'CAN-BLOCK-RELOAD': control.canBlockReload ? 'YES' : undefined,
    'CAN-SKIP-UNTIL': optional('canSkipUntilSeconds', canSkipUntilSeconds),
    'HOLD-BACK': optional('holdBackSeconds', holdBackSeconds),
    'PART-HOLD-BACK': optional('partHoldBackSeconds', partHoldBackSeconds),
  })
}

/** Checks the minimum values of RFC 8216bis 4.4.3.7 and 4.4.3.8. */
function checkServerControl(
  control: ServerControl,
  targetDurationSeconds: number,
  partTargetSeconds: number | undefined,
): void {
  const { canSkipUntilSeconds = Infinity, holdBackSeconds = Infinity, partHoldBackSeconds } = control
  if (canSkipUntilSeconds < 6 * targetDurationSeconds)
    throw new PlaylistError('canSkipUntilSeconds must be at least six target durations.')
  if (holdBackSeconds < 3 * targetDurationSeconds)
    throw new PlaylistError('holdBackSeconds must be at least three target durations.')
  if (partTargetSeconds === undefined) return
  if (partHoldBackSeconds === undefined || partHoldBackSeconds < 2 * partTargetSeconds)
    throw new PlaylistError(
      'A playlist with parts requires partHoldBackSeconds of at least two part targets.',
    )
}

function secondsText(name: string, seconds: number): string {
  if (!(seconds >= 0 && seconds < 1e9))
    throw new PlaylistError(`${name} must be from 0 to 1,000,000,000 seconds, not ${seconds}.`)
  return seconds.toFixed(6).replace(/\.?0+$/, '')
}
