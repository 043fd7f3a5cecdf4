import { parseAttributes } from './attribute-list.ts'
import type { LowLatencyFields } from './low-latency.ts'
import type { ByteRange, MediaPlaylist, ParsedMediaPlaylist, Segment } from './media-playlist.ts'
import { readLowLatencyTag, type LowLatencyProgress } from './parse-low-latency.ts'
import { PlaylistError } from './playlist-error.ts'
import { integerValue, readPlaylistLines } from './playlist-lines.ts'
import type { PlaylistLine } from './playlist-lines.ts'

type Tag = Extract<PlaylistLine, { kind: 'tag' }>

interface Progress extends LowLatencyProgress {
  targetDurationSeconds: number | undefined
  mediaSequence: number
  discontinuitySequence: number
  playlistType: MediaPlaylist['playlistType'] | undefined
  startsAtFirst: boolean
  hasEnded: boolean
  independentSegments: boolean
  iFramesOnly: boolean
  firstInitUri: string | undefined
  currentInitUri: string | undefined
  segments: Segment[]
  /** Values of tags that apply to the next segment. */
  pending: Partial<Segment>
}

// Clients may ignore any other unknown tag (RFC 8216bis 6.3.1). These tags change the bytes or the URI of a
// segment.
const notUnderstood = ['EXT-X-KEY', 'EXT-X-DEFINE']

/**
 * Parses a media playlist of unencrypted fragmented MP4 segments. URIs are not resolved. Throws PlaylistError
 * with the line number.
 */
export function parseMediaPlaylist(text: string): ParsedMediaPlaylist {
  const lines = readPlaylistLines(text)
  const progress: Progress = {
    targetDurationSeconds: undefined,
    mediaSequence: 0,
    discontinuitySequence: 0,
    playlistType: undefined,
    startsAtFirst: false,
    hasEnded: false,
    independentSegments: false,
    iFramesOnly: false,
    firstInitUri: undefined,
    currentInitUri: undefined,
    segments: [],
    pending: {},
    openParts: [],
    renditionReports: [],
  }
  for (const line of lines) {
    if (line.kind === 'tag') readTag(progress, line)
    else readSegment(progress, line)
  }

  const lastLineNumber = lines.at(-1)?.lineNumber ?? 1
  const { targetDurationSeconds, firstInitUri, playlistType, discontinuitySequence } = progress
  if (targetDurationSeconds === undefined)
    throw new PlaylistError('EXT-X-TARGETDURATION is missing.', lastLineNumber)
  if (firstInitUri === undefined) throw new PlaylistError('EXT-X-MAP is missing.', lastLineNumber)
  return {
    targetDurationSeconds,
    mediaSequence: progress.mediaSequence,
    ...(discontinuitySequence > 0 && { discontinuitySequence }),
    ...(playlistType && { playlistType }),
    ...(progress.startsAtFirst && { startsAtFirst: true }),
    hasEnded: progress.hasEnded,
    ...(progress.iFramesOnly && { iFramesOnly: true }),
    independentSegments: progress.independentSegments,
    initUri: firstInitUri,
    segments: progress.segments,
    ...(Object.keys(progress.pending).length > 0 && { openSegment: progress.pending }),
    ...lowLatencyFields(progress),
  }
}

function lowLatencyFields(progress: Progress): LowLatencyFields {
  const { serverControl, partTargetSeconds, skippedSegments, openParts, preloadHintUri, renditionReports } =
    progress
  return {
    ...(serverControl && { serverControl }),
    ...(partTargetSeconds !== undefined && { partTargetSeconds }),
    ...(skippedSegments !== undefined && { skippedSegments }),
    ...(openParts.length > 0 && { openParts }),
    ...(preloadHintUri !== undefined && { preloadHintUri }),
    ...(renditionReports.length > 0 && { renditionReports }),
  }
}

function readTag(progress: Progress, tag: Tag): void {
  const { name, value, lineNumber } = tag
  if (notUnderstood.includes(name) && !(name === 'EXT-X-KEY' && value === 'METHOD=NONE'))
    throw new PlaylistError(`${name} is not supported.`, lineNumber)
  switch (name) {
    case 'EXT-X-STREAM-INF':
      throw new PlaylistError('A media playlist is required, not a multivariant playlist.', lineNumber)
    case 'EXT-X-TARGETDURATION':
      progress.targetDurationSeconds = integerValue(tag)
      return
    case 'EXT-X-MEDIA-SEQUENCE':
      progress.mediaSequence = integerValue(tag)
      return
    case 'EXT-X-DISCONTINUITY-SEQUENCE':
      progress.discontinuitySequence = integerValue(tag)
      return
    case 'EXT-X-PLAYLIST-TYPE':
      if (value !== 'VOD' && value !== 'EVENT')
        throw new PlaylistError(`${name} must be VOD or EVENT, not ${JSON.stringify(value)}.`, lineNumber)
      progress.playlistType = value
      return
    case 'EXT-X-START':
      progress.startsAtFirst = Number(parseAttributes(value, lineNumber).token('TIME-OFFSET')) === 0
      return
    case 'EXT-X-ENDLIST':
      progress.hasEnded = true
      return
    case 'EXT-X-INDEPENDENT-SEGMENTS':
      progress.independentSegments = true
      return
    case 'EXT-X-I-FRAMES-ONLY':
      progress.iFramesOnly = true
      return
    case 'EXT-X-BYTERANGE':
      progress.pending.byteRange = parseByteRange(tag)
      return
    case 'EXT-X-MAP':
      readMap(progress, tag)
      return
    case 'EXT-X-DISCONTINUITY':
      progress.pending.discontinuity = true
      return
    case 'EXT-X-PROGRAM-DATE-TIME':
      progress.pending.programDateTime = parseInstant(tag)
      return
    case 'EXT-X-GAP':
      progress.pending.isGap = true
      return
    case 'EXTINF':
      progress.pending.durationSeconds = parseDuration(tag)
      return
    default:
      readLowLatencyTag(progress, tag)
  }
}

function readMap(progress: Progress, { value, lineNumber }: Tag): void {
  const attributes = parseAttributes(value, lineNumber)
  if (attributes.string('BYTERANGE') !== undefined)
    attributes.fail('An init segment in a byte range is not supported.')
  const initUri = attributes.string('URI') ?? attributes.fail('EXT-X-MAP requires a URI.')
  // Record only changes, because many packagers repeat the same EXT-X-MAP after every discontinuity.
  if (progress.firstInitUri === undefined) progress.firstInitUri = initUri
  else if (initUri !== progress.currentInitUri) progress.pending.initUri = initUri
  progress.currentInitUri = initUri
}

function readSegment(progress: Progress, { uri, lineNumber }: { uri: string; lineNumber: number }): void {
  const { durationSeconds, ...rest } = progress.pending
  if (durationSeconds === undefined) throw new PlaylistError('A segment URI must follow EXTINF.', lineNumber)
  if (progress.firstInitUri === undefined)
    throw new PlaylistError('A segment must follow EXT-X-MAP.', lineNumber)
  const parts = progress.openParts
  progress.segments.push({ ...rest, uri, durationSeconds, ...(parts.length > 0 && { parts }) })
  progress.pending = {}
  progress.openParts = []
}

/**
 * RFC 8216bis 4.4.4.2 allows omitting the offset; this parser requires it, because our writer always writes
 * it.
 */
function parseByteRange({ value, lineNumber }: Tag): ByteRange {
  const [, length, offset] = /^([0-9]{1,15})@([0-9]{1,15})$/.exec(value) ?? []
  if (length === undefined || offset === undefined || Number(length) === 0)
    throw new PlaylistError(
      `EXT-X-BYTERANGE must be <length>@<offset>, not ${JSON.stringify(value)}.`,
      lineNumber,
    )
  return { offsetBytes: Number(offset), lengthBytes: Number(length) }
}

function parseDuration({ value, lineNumber }: Tag): number {
  const [duration = ''] = value.split(',', 1)
  if (!/^[0-9]+(\.[0-9]*)?$/.test(duration))
    throw new PlaylistError(`EXTINF must be a decimal number, not ${JSON.stringify(duration)}.`, lineNumber)
  return Number(duration)
}

function parseInstant({ value, lineNumber }: Tag): Date {
  const date = new Date(value)
  if (Number.isNaN(date.getTime()))
    throw new PlaylistError(
      `EXT-X-PROGRAM-DATE-TIME must be an ISO 8601 date and time, not ${JSON.stringify(value)}.`,
      lineNumber,
    )
  return date
}
