const streamTag = '#EXT-X-STREAM-INF'
const mediaTag = '#EXT-X-MEDIA'

/**
 * Attributes that are rewritten in each tag. ffmpeg parses attributes more loosely than the standard, so
 * nothing else passes.
 */
const takenAttributes: Readonly<Record<string, readonly string[]>> = {
  '#EXT-X-MAP': ['URI', 'BYTERANGE'],
  '#EXT-X-KEY': ['METHOD', 'URI', 'IV'],
  [mediaTag]: ['TYPE', 'GROUP-ID', 'NAME', 'DEFAULT', 'URI'],
  [streamTag]: ['BANDWIDTH', 'CODECS', 'AUDIO'],
}
const plainTags =
  /^#(EXTM3U|EXTINF:[\d.]+,?|EXT-X-(VERSION|TARGETDURATION|MEDIA-SEQUENCE|DISCONTINUITY|DISCONTINUITY-SEQUENCE|ENDLIST|PLAYLIST-TYPE|BYTERANGE|PROGRAM-DATE-TIME)(?=:|$))/
const quoted = new Set(['URI', 'BYTERANGE', 'GROUP-ID', 'NAME', 'CODECS', 'AUDIO'])

export const isPlaylist = (text: string): boolean => text.startsWith('#EXTM3U')

/** RFC 8216, 4.2: names and values, quoted or not; a quoted string may contain commas. */
const attributesOf = (line: string): ReadonlyMap<string, string> => {
  const list = line.slice(line.indexOf(':') + 1)
  const found = list.matchAll(/([A-Z0-9-]+)=(?:"([^"]*)"|([^,"]*))(?:,|$)/g)
  return new Map([...found].map(([, name = '', text, bare]) => [name, text ?? bare ?? '']))
}

/**
 * Rewrites each address of a playlist with `toLocal`, which gets it as an absolute URL. A multivariant
 * playlist keeps only the best supported variant with its audio.
 */
export const rewritePlaylist = (text: string, base: string, toLocal: (url: string) => string): string => {
  // Characters that end a line for ffmpeg.
  const lines = text.split(/[\r\n\0]+/)
  const isMultivariant = lines.some((line) => line.startsWith(`${streamTag}:`))
  const local = (uri: string): string => {
    const url = URL.parse(uri, base)
    return url === null ? 'about:blank' : toLocal(url.href)
  }
  return (isMultivariant ? keepBestVariant(lines) : lines)
    .flatMap((line) => rewriteLine(line, local) ?? [])
    .join('\n')
}

/** Returns null for a line that ffmpeg does not need. */
const rewriteLine = (line: string, local: (uri: string) => string): string | null => {
  if (line.trim() === '') return null
  if (!line.startsWith('#')) return local(line.trim())
  const tag = line.replace(/:.*$/, '')
  const taken = takenAttributes[tag]
  if (taken === undefined) return plainTags.test(line) ? line : null
  const attributes = attributesOf(line)
  const written = taken.flatMap((name) => {
    const value = attributes.get(name)
    if (value === undefined) return []
    const said = name === 'URI' ? local(value) : value.replaceAll('\\', '')
    return quoted.has(name) ? `${name}="${said}"` : `${name}=${said}`
  })
  return `${tag}:${written.join(',')}`
}

interface Variant {
  readonly line: string
  readonly uri: string
  readonly attributes: ReadonlyMap<string, string>
}

const bandwidthOf = ({ attributes }: Variant): number => Number(attributes.get('BANDWIDTH')) || 0

/** Codecs in order of preference: those that most viewers can play come first. */
const takenCodecs = [/avc|hvc1|hev1/, /av01/, /^/]

const keepBestVariant = (lines: readonly string[]): string[] => {
  const variants = lines.flatMap((line, index): Variant[] => {
    if (!line.startsWith(`${streamTag}:`)) return []
    const uri = lines.slice(index + 1).find((next) => next.trim() !== '' && !next.startsWith('#'))
    return uri === undefined ? [] : [{ line, uri, attributes: attributesOf(line) }]
  })
  const best = takenCodecs
    .map((codecs) => variants.filter(({ attributes }) => codecs.test(attributes.get('CODECS') ?? 'avc1')))
    .find((taken) => taken.length > 0)
    ?.toSorted((left, right) => bandwidthOf(right) - bandwidthOf(left))[0]
  if (best === undefined) return ['#EXTM3U']
  const group = best.attributes.get('AUDIO')
  const sounds = lines
    .filter((line) => line.startsWith(`${mediaTag}:`))
    .map((line) => ({ line, attributes: attributesOf(line) }))
    .filter(({ attributes }) => attributes.get('TYPE') === 'AUDIO' && attributes.get('GROUP-ID') === group)
  const sound = sounds.find(({ attributes }) => attributes.get('DEFAULT') === 'YES') ?? sounds[0]
  return ['#EXTM3U', ...(sound === undefined ? [] : [sound.line]), best.line, best.uri]
}
