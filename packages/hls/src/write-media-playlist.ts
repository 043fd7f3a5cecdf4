import { checkedUri, quoted, wholeNumber, writeAttributes } from './attribute-list.ts'
import type { ByteRange, MediaPlaylist, Segment, SegmentStart } from './media-playlist.ts'
import { PlaylistError } from './playlist-error.ts'
import { lowLatencyFooter, lowLatencyHeader, partTag } from './write-low-latency.ts'

const startsAtFirst = '#EXT-X-START:TIME-OFFSET=0'

/** Text of leading segments, as returned by `writeSegments`. */
export interface WrittenSegments {
  /** Empty, or ends with a line break. */
  text: string
  /** Init segment that applies at the end of the text. */
  initUri: string
}

/**
 * Writes a media playlist of version 7, or of version 9 when it skips segments. Throws PlaylistError on
 * invalid values.
 *
 * A live playlist is written repeatedly, so `written` passes leading segments that are already formatted.
 */
export function writeMediaPlaylist(playlist: MediaPlaylist, written?: WrittenSegments): string {
  // Clients reload a playlist that has no end, but RFC 8216bis 4.4.3.5 says that a VOD playlist never
  // changes.
  if (playlist.playlistType === 'VOD' && !playlist.hasEnded)
    throw new PlaylistError('A VOD playlist must have ended. Set hasEnded.')

  const targetDuration = targetDurationSeconds(playlist)
  const lines = [
    '#EXTM3U',
    // RFC 8216bis 8: EXT-X-SKIP requires version 9.
    `#EXT-X-VERSION:${playlist.skippedSegments === undefined ? 7 : 9}`,
    `#EXT-X-TARGETDURATION:${targetDuration}`,
    `#EXT-X-MEDIA-SEQUENCE:${wholeNumber('mediaSequence', playlist.mediaSequence)}`,
  ]
  if (playlist.discontinuitySequence) {
    const sequence = wholeNumber('discontinuitySequence', playlist.discontinuitySequence)
    lines.push(`#EXT-X-DISCONTINUITY-SEQUENCE:${sequence}`)
  }
  if (playlist.playlistType) lines.push(`#EXT-X-PLAYLIST-TYPE:${playlist.playlistType}`)
  if (playlist.startsAtFirst) lines.push(startsAtFirst)
  if (playlist.iFramesOnly) lines.push('#EXT-X-I-FRAMES-ONLY')
  if (playlist.independentSegments) lines.push('#EXT-X-INDEPENDENT-SEGMENTS')

  lines.push(...lowLatencyHeader(playlist, Number(targetDuration)))
  if (playlist.initUri !== undefined) lines.push(mapTag(playlist.initUri))
  const head = written ? `${lines.join('\n')}\n${written.text}` : ''
  const rest = written ? [] : lines
  const initUri = pushSegments(
    rest,
    playlist.segments,
    written?.initUri ?? playlist.initUri,
    playlist.partTargetSeconds,
  )
  if (playlist.openSegment) rest.push(...openingTags(playlist.openSegment, initUri))
  rest.push(...lowLatencyFooter(playlist))
  if (playlist.hasEnded) rest.push('#EXT-X-ENDLIST')
  return rest.length === 0 ? head : `${head}${rest.join('\n')}\n`
}

/** Returns the lines of segments without parts. `initUri` is the init segment before the first of them. */
export function writeSegments(segments: readonly Segment[], initUri: string): string {
  const lines: string[] = []
  pushSegments(lines, segments, initUri, undefined)
  return lines.map((line) => `${line}\n`).join('')
}

function pushSegments(
  lines: string[],
  segments: readonly Segment[],
  initUriBefore: string | undefined,
  partTargetSeconds: number | undefined,
): string | undefined {
  let initUri = initUriBefore
  for (const segment of segments) {
    lines.push(...openingTags(segment, initUri))
    pushSegment(lines, segment, partTargetSeconds)
    initUri = segment.initUri ?? initUri
  }
  return initUri
}

/** Returns the tags that precede the parts of a segment. `initUri` is the current init segment. */
function openingTags(segment: SegmentStart, initUri: string | undefined): string[] {
  return [
    ...(segment.discontinuity ? ['#EXT-X-DISCONTINUITY'] : []),
    ...(segment.initUri === undefined || segment.initUri === initUri ? [] : [mapTag(segment.initUri)]),
    ...(segment.programDateTime ? [`#EXT-X-PROGRAM-DATE-TIME:${instant(segment.programDateTime)}`] : []),
  ]
}

function pushSegment(lines: string[], segment: Segment, partTargetSeconds: number | undefined): void {
  for (const part of segment.parts ?? []) lines.push(partTag(part, partTargetSeconds))
  if (segment.isGap) lines.push('#EXT-X-GAP')
  lines.push(`#EXTINF:${durationText(segment.durationSeconds)},`)
  if (segment.byteRange) lines.push(`#EXT-X-BYTERANGE:${byteRangeText(segment.byteRange)}`)
  lines.push(checkedUri(segment.uri))
}

/** Always writes the offset, because a range without one continues the previous segment's range. */
function byteRangeText({ offsetBytes, lengthBytes }: ByteRange): string {
  if (lengthBytes === 0) throw new PlaylistError('A byte range must not be empty.')
  return `${wholeNumber('lengthBytes', lengthBytes)}@${wholeNumber('offsetBytes', offsetBytes)}`
}

function mapTag(initUri: string): string {
  return `#EXT-X-MAP:${writeAttributes({ URI: quoted(checkedUri(initUri)) })}`
}

function targetDurationSeconds({ targetDurationSeconds: given, segments }: MediaPlaylist): string {
  const longest = segments.reduce((most, segment) => Math.max(most, Math.round(segment.durationSeconds)), 1)
  const target = given ?? longest
  // RFC 8216bis 4.4.3.1: the rounded duration of a segment must not exceed the target duration.
  if (target < longest)
    throw new PlaylistError(`A segment of ${longest} s exceeds the target duration of ${target} s.`)
  return wholeNumber('targetDurationSeconds', target)
}

/** Microsecond precision: the rounding errors of 10,000 segments add up to at most 5 ms. */
function durationText(durationSeconds: number): string {
  if (!(durationSeconds >= 0 && durationSeconds < 1e9))
    throw new PlaylistError(`The duration of a segment is invalid: ${durationSeconds} seconds.`)
  return durationSeconds.toFixed(6)
}

function instant(date: Date): string {
  if (Number.isNaN(date.getTime())) throw new PlaylistError('programDateTime must be a valid Date.')
  return date.toISOString()
}
