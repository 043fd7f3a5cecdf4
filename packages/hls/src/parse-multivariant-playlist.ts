import { parseAttributes } from './attribute-list.ts'
import type { AttributeList } from './attribute-list.ts'
import type { IFrameVariant, MultivariantPlaylist, Rendition, Variant } from './multivariant-playlist.ts'
import { PlaylistError } from './playlist-error.ts'
import { readPlaylistLines } from './playlist-lines.ts'

const yesOrNo = ['YES', 'NO'] as const

/**
 * Parses a multivariant playlist. URIs are not resolved, and VIDEO and CLOSED-CAPTIONS renditions are
 * omitted. Throws PlaylistError with the line number.
 */
export function parseMultivariantPlaylist(text: string): MultivariantPlaylist {
  const variants: Variant[] = []
  const iFrameVariants: IFrameVariant[] = []
  const renditions: Rendition[] = []
  let independentSegments = false
  let stream: { attributes: AttributeList; lineNumber: number } | undefined

  for (const line of readPlaylistLines(text)) {
    if (line.kind === 'uri') {
      if (!stream) throw new PlaylistError('A variant URI must follow EXT-X-STREAM-INF.', line.lineNumber)
      variants.push(parseVariant(stream.attributes, line.uri))
      stream = undefined
      continue
    }
    // RFC 8216bis 4.4.6.2: the URI line follows its EXT-X-STREAM-INF.
    if (stream) throw new PlaylistError('EXT-X-STREAM-INF must be followed by a URI.', stream.lineNumber)
    switch (line.name) {
      case 'EXTINF':
      case 'EXT-X-TARGETDURATION':
        throw new PlaylistError('A multivariant playlist is required, not a media playlist.', line.lineNumber)
      case 'EXT-X-DEFINE':
        throw new PlaylistError('EXT-X-DEFINE is not supported.', line.lineNumber)
      case 'EXT-X-INDEPENDENT-SEGMENTS':
        independentSegments = true
        break
      case 'EXT-X-I-FRAME-STREAM-INF':
        iFrameVariants.push(parseIFrameVariant(parseAttributes(line.value, line.lineNumber)))
        break
      case 'EXT-X-MEDIA':
        renditions.push(...parseRendition(parseAttributes(line.value, line.lineNumber)))
        break
      case 'EXT-X-STREAM-INF':
        stream = { attributes: parseAttributes(line.value, line.lineNumber), lineNumber: line.lineNumber }
    }
  }
  if (stream) throw new PlaylistError('EXT-X-STREAM-INF must be followed by a URI.', stream.lineNumber)
  return {
    variants,
    ...(iFrameVariants.length > 0 && { iFrameVariants }),
    renditions,
    independentSegments,
  }
}

function parseVariant(attributes: AttributeList, uri: string): Variant {
  const frameRate = attributes.number('FRAME-RATE')
  const audioGroupId = attributes.string('AUDIO')
  const subtitlesGroupId = attributes.string('SUBTITLES')
  return {
    ...parsePicture(attributes, uri),
    ...(frameRate !== undefined && { frameRate }),
    ...(audioGroupId !== undefined && { audioGroupId }),
    ...(subtitlesGroupId !== undefined && { subtitlesGroupId }),
    ...(attributes.isWord('CLOSED-CAPTIONS', 'NONE') && { hasNoClosedCaptions: true }),
  }
}

function parseIFrameVariant(attributes: AttributeList): IFrameVariant {
  return parsePicture(
    attributes,
    attributes.string('URI') ?? attributes.fail('EXT-X-I-FRAME-STREAM-INF requires a URI.'),
  )
}

function parsePicture(attributes: AttributeList, uri: string): IFrameVariant {
  const averageBandwidthBitsPerSecond = attributes.integer('AVERAGE-BANDWIDTH')
  const resolution = parseResolution(attributes)
  const videoRange = attributes.choice('VIDEO-RANGE', ['SDR', 'PQ', 'HLG'])
  return {
    uri,
    bandwidthBitsPerSecond: attributes.integer('BANDWIDTH') ?? attributes.fail('BANDWIDTH is missing.'),
    ...(averageBandwidthBitsPerSecond !== undefined && { averageBandwidthBitsPerSecond }),
    codecs: (attributes.string('CODECS') ?? '').split(',').flatMap((codec) => codec.trim() || []),
    ...(resolution && { resolution }),
    ...(videoRange && { videoRange }),
  }
}

function parseRendition(attributes: AttributeList): Rendition[] {
  const type = attributes.choice('TYPE', ['AUDIO', 'SUBTITLES', 'VIDEO', 'CLOSED-CAPTIONS'])
  if (type === undefined) return attributes.fail('TYPE is missing.')
  if (type === 'VIDEO' || type === 'CLOSED-CAPTIONS') return []

  const language = attributes.string('LANGUAGE')
  const channels = parseChannels(attributes)
  const characteristics = attributes.string('CHARACTERISTICS')?.split(',')
  const uri = attributes.string('URI')
  if (type === 'SUBTITLES' && uri === undefined) attributes.fail('A SUBTITLES rendition requires a URI.')
  return [
    {
      type,
      groupId: attributes.string('GROUP-ID') ?? attributes.fail('GROUP-ID is missing.'),
      name: attributes.string('NAME') ?? attributes.fail('NAME is missing.'),
      ...(language !== undefined && { language }),
      isDefault: attributes.choice('DEFAULT', yesOrNo) === 'YES',
      isAutoselect: attributes.choice('AUTOSELECT', yesOrNo) === 'YES',
      ...(channels !== undefined && { channels }),
      ...(characteristics && { characteristics }),
      ...(uri !== undefined && { uri }),
    },
  ]
}

/** Parses `1280x720`, which is unquoted (RFC 8216bis 4.2). */
function parseResolution(attributes: AttributeList): Variant['resolution'] {
  const text = attributes.token('RESOLUTION')
  if (text === undefined) return undefined
  const [, width, height] = /^([0-9]{1,6})x([0-9]{1,6})$/.exec(text) ?? []
  if (width === undefined || height === undefined)
    return attributes.fail('RESOLUTION must be <width>x<height>.')
  return { widthPixels: Number(width), heightPixels: Number(height) }
}

/** RFC 8216bis 4.4.6.1: `6` or `16/JOC/…`. The count comes first; the rest describes spatial coding. */
function parseChannels(attributes: AttributeList): number | undefined {
  const text = attributes.string('CHANNELS')
  if (text === undefined) return undefined
  const [, count] = /^([0-9]{1,3})(\/|$)/.exec(text) ?? []
  return count === undefined ? attributes.fail('CHANNELS must start with a count.') : Number(count)
}
