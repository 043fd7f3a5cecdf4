import { checkedUri, quoted, wholeNumber, writeAttributes } from './attribute-list.ts'
import type { IFrameVariant, MultivariantPlaylist, Rendition, Variant } from './multivariant-playlist.ts'
import { PlaylistError } from './playlist-error.ts'

/** Writes a multivariant playlist. Throws PlaylistError on values that would make it invalid. */
export function writeMultivariantPlaylist(playlist: MultivariantPlaylist): string {
  checkGroups(playlist.renditions)
  const lines = ['#EXTM3U', '#EXT-X-VERSION:7']
  if (playlist.independentSegments) lines.push('#EXT-X-INDEPENDENT-SEGMENTS')
  lines.push(...playlist.renditions.map((rendition) => `#EXT-X-MEDIA:${mediaAttributes(rendition)}`))
  checkClosedCaptions(playlist.variants)
  for (const variant of playlist.variants) {
    checkGroupExists(playlist.renditions, 'AUDIO', variant.audioGroupId)
    checkGroupExists(playlist.renditions, 'SUBTITLES', variant.subtitlesGroupId)
    lines.push(`#EXT-X-STREAM-INF:${streamAttributes(variant)}`, checkedUri(variant.uri))
  }
  for (const variant of playlist.iFrameVariants ?? [])
    lines.push(`#EXT-X-I-FRAME-STREAM-INF:${iFrameAttributes(variant)}`)
  return `${lines.join('\n')}\n`
}

function streamAttributes(variant: Variant): string {
  return writeAttributes({
    ...pictureAttributes(variant),
    'FRAME-RATE': variant.frameRate === undefined ? undefined : frameRateText(variant.frameRate),
    'VIDEO-RANGE': variant.videoRange,
    AUDIO: optionallyQuoted(variant.audioGroupId),
    SUBTITLES: optionallyQuoted(variant.subtitlesGroupId),
    'CLOSED-CAPTIONS': variant.hasNoClosedCaptions === true ? 'NONE' : undefined,
  })
}

/** RFC 8216bis 4.4.6.3: the attributes of a variant except frame rate and groups. The URI is an attribute. */
function iFrameAttributes(variant: IFrameVariant): string {
  return writeAttributes({
    ...pictureAttributes(variant),
    'VIDEO-RANGE': variant.videoRange,
    URI: quoted(checkedUri(variant.uri)),
  })
}

function pictureAttributes(variant: IFrameVariant): Record<string, string | undefined> {
  const { averageBandwidthBitsPerSecond: average, codecs, resolution } = variant
  return {
    BANDWIDTH: wholeNumber('bandwidthBitsPerSecond', variant.bandwidthBitsPerSecond),
    'AVERAGE-BANDWIDTH':
      average === undefined ? undefined : wholeNumber('averageBandwidthBitsPerSecond', average),
    CODECS: codecs.length === 0 ? undefined : quoted(codecs.map(checkedCodec).join(',')),
    RESOLUTION: resolution && resolutionText(resolution),
  }
}

function mediaAttributes(rendition: Rendition): string {
  const { channels, characteristics, uri } = rendition
  return writeAttributes({
    TYPE: rendition.type,
    'GROUP-ID': quoted(rendition.groupId),
    NAME: quoted(rendition.name),
    LANGUAGE: optionallyQuoted(rendition.language),
    DEFAULT: rendition.isDefault ? 'YES' : 'NO',
    AUTOSELECT: rendition.isAutoselect ? 'YES' : 'NO',
    CHARACTERISTICS:
      characteristics === undefined
        ? undefined
        : quoted(characteristics.map(checkedCharacteristic).join(',')),
    CHANNELS: channels === undefined ? undefined : quoted(wholeNumber('channels', channels)),
    URI: uri === undefined ? undefined : quoted(checkedUri(uri)),
  })
}

function checkGroups(renditions: readonly Rendition[]): void {
  const names = new Set<string>()
  const groupsWithDefault = new Set<string>()
  for (const rendition of renditions) {
    const group = `${rendition.type} ${rendition.groupId}`
    const fail = (message: string) => {
      throw new PlaylistError(`Rendition ${JSON.stringify(rendition.name)} of group ${group}: ${message}`)
    }
    // RFC 8216bis 4.4.6.1: DEFAULT=YES requires AUTOSELECT=YES, and subtitles require a URI.
    if (rendition.isDefault && !rendition.isAutoselect) fail('a default rendition must have isAutoselect.')
    if (rendition.type === 'SUBTITLES' && rendition.uri === undefined) fail('subtitles require a URI.')
    // RFC 8216bis 4.4.6.1.1: names are unique within a group, and at most one rendition is the default.
    const name = JSON.stringify([group, rendition.name])
    if (names.has(name)) fail('another rendition of the group has this name.')
    if (rendition.isDefault && groupsWithDefault.has(group)) fail('the group already has a default.')
    names.add(name)
    if (rendition.isDefault) groupsWithDefault.add(group)
  }
}

/** RFC 8216bis 4.4.6.2: a group attribute must match the group of an EXT-X-MEDIA tag of that type. */
function checkGroupExists(
  renditions: readonly Rendition[],
  type: Rendition['type'],
  groupId: string | undefined,
) {
  const exists = renditions.some((rendition) => rendition.type === type && rendition.groupId === groupId)
  if (groupId !== undefined && !exists)
    throw new PlaylistError(
      `A variant references the group ${JSON.stringify(groupId)}, but no ${type} rendition belongs to it.`,
    )
}

/** RFC 8216bis 4.4.6.2: when one variant says NONE, all of them do. */
function checkClosedCaptions(variants: readonly Variant[]) {
  const saying = variants.filter(({ hasNoClosedCaptions }) => hasNoClosedCaptions === true)
  if (saying.length > 0 && saying.length < variants.length)
    throw new PlaylistError('hasNoClosedCaptions must be equal for all variants.')
}

function optionallyQuoted(text: string | undefined): string | undefined {
  return text === undefined ? undefined : quoted(text)
}

function checkedCharacteristic(characteristic: string): string {
  if (!/^[A-Za-z0-9.-]+$/.test(characteristic))
    throw new PlaylistError(
      `A characteristic must be a Uniform Type Identifier, not ${JSON.stringify(characteristic)}.`,
    )
  return characteristic
}

function checkedCodec(codec: string): string {
  if (!/^[!-~]+$/.test(codec) || codec.includes(','))
    throw new PlaylistError(`An entry of codecs must be a single codec, not ${JSON.stringify(codec)}.`)
  return codec
}

function resolutionText({ widthPixels, heightPixels }: NonNullable<Variant['resolution']>): string {
  return `${wholeNumber('widthPixels', widthPixels)}x${wholeNumber('heightPixels', heightPixels)}`
}

/** RFC 8216bis 4.4.6.2: rounded to three decimal places. */
function frameRateText(frameRate: number): string {
  if (!(frameRate > 0 && frameRate < 1e6))
    throw new PlaylistError(`A frame rate must be above 0 and below 1,000,000, not ${frameRate}.`)
  return frameRate.toFixed(3)
}
