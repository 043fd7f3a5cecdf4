/** A file of the source; the range is null for all of it. */
export interface Resource {
  readonly url: string
  readonly range: ByteRange | null
  /** Sequence number of a segment. Encoders that cycle through a few names reuse their URLs. */
  readonly sequence?: number
}

interface ByteRange {
  readonly offset: number
  readonly length: number
}

export interface Segment {
  readonly sequence: number
  readonly seconds: number
  readonly resource: Resource
  /** Tag of the key that is in force, with its address; null when the segment is not encrypted. */
  readonly key: { readonly tag: string; readonly resource: Resource } | null
  /** Initialization section that is in force. */
  readonly map: Resource | null
  /** Tags of this segment alone, in their order. */
  readonly tags: readonly string[]
}

export interface MediaPlaylist {
  readonly version: string | null
  readonly targetSeconds: number
  readonly isEnded: boolean
  readonly segments: readonly Segment[]
}

const uriOf = (line: string): string | null => /URI="([^"]*)"/.exec(line)?.[1] ?? null
const valueOf = (line: string): string => line.slice(line.indexOf(':') + 1)

/** RFC 8216, 4.3.2.2: a range without an offset follows the one before it. */
const rangeOf = (text: string | undefined, nextOffset: number): ByteRange | null => {
  const [, length, offset] = /^(\d{1,15})(?:@(\d{1,15}))?$/.exec(text ?? '') ?? []
  if (length === undefined) return null
  return { length: Number(length), offset: offset === undefined ? nextOffset : Number(offset) }
}

const mapOf = (line: string): Resource | null => {
  const url = uriOf(line)
  return url === null ? null : { url, range: rangeOf(/BYTERANGE="([^"]*)"/.exec(line)?.[1], 0) }
}

const keyOf = (tag: string): Segment['key'] => {
  const url = uriOf(tag)
  return url === null || tag.includes('METHOD=NONE') ? null : { tag, resource: { url, range: null } }
}

/** Reads a playlist that `rewritePlaylist` has written, which has known tags only. */
export const readMediaPlaylist = (text: string): MediaPlaylist => {
  const segments: Segment[] = []
  let sequence = 0
  let version: string | null = null
  let targetSeconds = 0
  let isEnded = false
  let key: Segment['key'] = null
  let map: Resource | null = null
  let seconds = 0
  let range: string | undefined
  let tags: string[] = []
  for (const line of text.split('\n')) {
    if (!line.startsWith('#')) {
      const last = segments.at(-1)?.resource
      const nextOffset = last?.url === line && last.range !== null ? last.range.offset + last.range.length : 0
      const number = sequence + segments.length
      const resource = { url: line, range: rangeOf(range, nextOffset), sequence: number }
      segments.push({ sequence: number, seconds, resource, key, map, tags })
      range = undefined
      tags = []
    } else if (line.startsWith('#EXTINF:')) {
      seconds = Number.parseFloat(valueOf(line)) || 0
      tags.push(line)
    } else if (line.startsWith('#EXT-X-BYTERANGE:')) range = valueOf(line)
    else if (line.startsWith('#EXT-X-KEY:')) key = keyOf(line)
    else if (line.startsWith('#EXT-X-MAP:')) map = mapOf(line)
    else if (line.startsWith('#EXT-X-MEDIA-SEQUENCE:')) sequence = Number.parseInt(valueOf(line), 10) || 0
    else if (line.startsWith('#EXT-X-TARGETDURATION:')) targetSeconds = Number.parseFloat(valueOf(line)) || 0
    else if (line.startsWith('#EXT-X-VERSION:')) version = line
    else if (line === '#EXT-X-ENDLIST') isEnded = true
    else if (/^#EXT-X-(DISCONTINUITY|PROGRAM-DATE-TIME:.*)$/.test(line)) tags.push(line)
  }
  return { version, targetSeconds, isEnded, segments }
}

/** Returns a playlist of these segments, which follow one another, with the names of local files. */
export const writeMediaPlaylist = (
  { version, targetSeconds }: Pick<MediaPlaylist, 'version' | 'targetSeconds'>,
  segments: readonly Segment[],
  options: { readonly isEnded: boolean; readonly nameOf: (resource: Resource) => string },
): string => {
  const { isEnded, nameOf } = options
  let key: string | null = null
  let map: string | null = null
  const lines = segments.flatMap((segment) => {
    const keyTag =
      segment.key === null
        ? '#EXT-X-KEY:METHOD=NONE'
        : segment.key.tag.replace(/URI="[^"]*"/, () => `URI="${nameOf(segment.key!.resource)}"`)
    const mapTag = segment.map === null ? '' : `#EXT-X-MAP:URI="${nameOf(segment.map)}"`
    const changed = [
      ...(keyTag === (key ?? '#EXT-X-KEY:METHOD=NONE') ? [] : [keyTag]),
      ...(mapTag === (map ?? '') ? [] : [mapTag]),
    ]
    key = keyTag
    map = mapTag
    return [...changed, ...segment.tags, nameOf(segment.resource)]
  })
  return [
    ...['#EXTM3U', ...(version === null ? [] : [version])],
    ...[`#EXT-X-TARGETDURATION:${Math.ceil(targetSeconds)}`],
    ...[`#EXT-X-MEDIA-SEQUENCE:${segments[0]?.sequence ?? 0}`],
    ...lines,
    ...(isEnded ? ['#EXT-X-ENDLIST'] : []),
    '',
  ].join('\n')
}
