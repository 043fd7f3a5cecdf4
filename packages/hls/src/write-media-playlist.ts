import { checkedUri, quoted, wholeNumber, writeAttributes } from './attribute-list.ts'
import type { ByteRange, MediaPlaylist, Segment, SegmentStart } from './media-playlist.ts'
import { PlaylistError } from './playlist-error.ts'
import { lowLatencyFooter, lowLatencyHeader, partTag } from './write-low-latency.ts'

const startsAtFirst = '#EXT-X-START:TIME-OFFSET=0'

/** Segments that stand in front of the others, as `writeSegments` wrote them. */
export interface WrittenSegments {
  /** Ends with a line break, or is empty. */
  text: string
  /** In force at their end. */
  initUri: string
}

/**
 * Writes a media playlist of version 7, of 9 where segments are skipped. Throws PlaylistError on values that would make it invalid. A live
 * playlist is written again and again: `written` are segments that it has had before.
 */
export function writeMediaPlaylist(playlist: MediaPlaylist, written?: WrittenSegments): string {
  // A client polls a playlist without an end for changes, and 4.4.3.5 says that a VOD playlist has none.
  if (playlist.playlistType === 'VOD' && !playlist.hasEnded)
    throw new PlaylistError('a VOD playlist never changes, so it has ended')

  const targetDuration = targetDurationSeconds(playlist)
  const lines = [
    '#EXTM3U',
    // RFC 8216bis 8: EXT-X-SKIP came with version 9.
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

/** The lines of segments without parts; `initUri` is in force before the first. */
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

/** What stands before the parts of a segment; `initUri` is in force so far. */
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

/** Always with its offset: without one, the range goes on behind that of the segment before. */
function byteRangeText({ offsetBytes, lengthBytes }: ByteRange): string {
  if (lengthBytes === 0) throw new PlaylistError('a byte range without bytes')
  return `${wholeNumber('lengthBytes', lengthBytes)}@${wholeNumber('offsetBytes', offsetBytes)}`
}

function mapTag(initUri: string): string {
  return `#EXT-X-MAP:${writeAttributes({ URI: quoted(checkedUri(initUri)) })}`
}

function targetDurationSeconds({ targetDurationSeconds: given, segments }: MediaPlaylist): string {
  const longest = segments.reduce((most, segment) => Math.max(most, Math.round(segment.durationSeconds)), 1)
  const target = given ?? longest
  // RFC 8216bis 4.4.3.1: no segment, rounded, may outlast the target duration.
  if (target < longest)
    throw new PlaylistError(`a segment of ${longest} s outlasts the target duration of ${target} s`)
  return wholeNumber('targetDurationSeconds', target)
}

/** Microseconds: the errors of 10,000 segments add up to 5 ms at most. */
function durationText(durationSeconds: number): string {
  if (!(durationSeconds >= 0 && durationSeconds < 1e9))
    throw new PlaylistError(`${durationSeconds} is no duration of a segment`)
  return durationSeconds.toFixed(6)
}

function instant(date: Date): string {
  if (Number.isNaN(date.getTime())) throw new PlaylistError('programDateTime is an invalid Date')
  return date.toISOString()
}
