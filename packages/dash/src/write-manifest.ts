import { frameRateText } from './frame-rate.ts'
import { ManifestError } from './manifest-error.ts'
import type { AdaptationSet, Manifest, Representation, TextTrack } from './manifest.ts'
import { areAligned, longestSegmentSeconds, segmentTimeline } from './segment-timeline.ts'
import { element, textElement, writeXml } from './xml.ts'
import type { XmlElement } from './xml.ts'

const roleScheme = 'urn:mpeg:dash:role:2011'
const channelScheme = 'urn:mpeg:mpegB:cicp:ChannelConfiguration'

// ISO/IEC 23001-8, table 8: the usual layout for each channel count. Other counts have none, so the element
// is omitted.
const channelConfigurations: Record<number, number> = { 1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 7: 11, 8: 12 }

/**
 * Writes the manifest of a finished presentation: one period of CMAF segments, with an exact timeline per
 * representation. Throws ManifestError on values that would make it invalid.
 */
export function writeManifest(manifest: Manifest): string {
  const { adaptationSets, durationSeconds, textTracks = [], timelineStartSeconds } = manifest
  const representations = adaptationSets.flatMap((set) => set.representations)
  representations.forEach(checkRepresentation)
  textTracks.forEach(checkTextTrack)
  const ids = [...representations, ...textTracks].map(({ id }) => id)
  if (new Set(ids).size < ids.length)
    throw new ManifestError('Two representations have the same id. Ids must be unique.')

  // `bandwidth` is the peak over one segment, so buffering one segment prevents stalls.
  const minBufferSeconds = Math.max(1, ...representations.map(longestSegmentSeconds))
  const sets = [
    ...adaptationSets.map((set, index) => adaptationSet(set, index + 1, timelineStartSeconds)),
    ...textTracks.map((track, index) => textSet(track, adaptationSets.length + index + 1)),
  ]
  return writeXml(
    element(
      'MPD',
      {
        xmlns: 'urn:mpeg:dash:schema:mpd:2011',
        profiles: 'urn:mpeg:dash:profile:isoff-live:2011',
        type: 'static',
        mediaPresentationDuration: durationText(durationSeconds),
        minBufferTime: durationText(minBufferSeconds),
      },
      [element('Period', { id: '1', start: 'PT0S' }, sets)],
    ),
  )
}

export function adaptationSet(set: AdaptationSet, id: number, timelineStartSeconds: number): XmlElement {
  if (set.representations.length === 0)
    throw new ManifestError(`The ${set.kind} adaptation set has no representations.`)
  if (set.language !== undefined) checkLanguage(set.language)
  return element(
    'AdaptationSet',
    {
      id,
      contentType: set.kind,
      mimeType: `${set.kind}/mp4`,
      lang: set.language,
      segmentAlignment: areAligned(set.representations) ? 'true' : undefined,
    },
    [
      ...(set.label === undefined ? [] : [textElement('Label', set.label)]),
      ...(set.isDefault === undefined ? [] : [role(set.isDefault ? 'main' : 'alternate')]),
      ...set.representations.map((item) => representation(item, timelineStartSeconds)),
    ],
  )
}

/** Role descriptor of ISO/IEC 23009-1 5.8.5.5. */
const role = (value: string): XmlElement => element('Role', { schemeIdUri: roleScheme, value })

/**
 * ISO/IEC 23009-1 5.3.9.1: a sidecar file is a representation without segments whose BaseURL is the whole
 * resource.
 */
function textSet(track: TextTrack, id: number): XmlElement {
  return element('AdaptationSet', { id, contentType: 'text', mimeType: 'text/vtt', lang: track.language }, [
    textElement('Label', track.label),
    role(track.role),
    ...(track.isDefault ? [role('main')] : []),
    element('Representation', { id: track.id, bandwidth: track.bandwidthBitsPerSecond }, [
      textElement('BaseURL', track.uri),
    ]),
  ])
}

function representation(item: Representation, timelineStartSeconds: number): XmlElement {
  const template = element(
    'SegmentTemplate',
    {
      timescale: item.timescale,
      presentationTimeOffset: Math.round(timelineStartSeconds * item.timescale),
      startNumber: item.startNumber,
      // ISO/IEC 23009-1 5.3.9.4.4: `$` starts a template identifier, and `$$` escapes it.
      initialization: item.initUri.replaceAll('$', '$$$$'),
      media: item.mediaUriTemplate,
    },
    [segmentTimeline(item)],
  )
  const channelConfiguration = item.channels === undefined ? undefined : channelConfigurations[item.channels]
  const channels =
    channelConfiguration === undefined
      ? []
      : [element('AudioChannelConfiguration', { schemeIdUri: channelScheme, value: channelConfiguration })]
  return element(
    'Representation',
    {
      id: item.id,
      codecs: item.codecs,
      bandwidth: item.bandwidthBitsPerSecond,
      width: item.widthPixels,
      height: item.heightPixels,
      frameRate: item.frameRate === undefined ? undefined : frameRateText(item.frameRate),
      audioSamplingRate: item.sampleRateHz,
    },
    [...channels, template],
  )
}

function checkLanguage(language: string): void {
  if (!/^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$/.test(language))
    throw new ManifestError(`A language must be a BCP 47 tag, not ${JSON.stringify(language)}.`)
}

function checkId(id: string): void {
  if (!/^\S+$/.test(id))
    throw new ManifestError(`An id must be text without spaces, not ${JSON.stringify(id)}.`)
}

function checkTextTrack({ id, language, bandwidthBitsPerSecond }: TextTrack): void {
  checkId(id)
  checkLanguage(language)
  if (!Number.isSafeInteger(bandwidthBitsPerSecond) || bandwidthBitsPerSecond < 1)
    throw new ManifestError(
      `Text ${id}: bandwidthBitsPerSecond must be a whole number from 1, not ${bandwidthBitsPerSecond}.`,
    )
}

export function checkRepresentation(item: Representation): void {
  const { id, mediaUriTemplate } = item
  checkId(id)
  const checkWhole = (name: string, value: number | undefined, least: number) => {
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= least))
      throw new ManifestError(
        `Representation ${id}: ${name} must be a whole number from ${least}, not ${value}.`,
      )
  }
  checkWhole('bandwidthBitsPerSecond', item.bandwidthBitsPerSecond, 1)
  checkWhole('widthPixels', item.widthPixels, 1)
  checkWhole('heightPixels', item.heightPixels, 1)
  checkWhole('sampleRateHz', item.sampleRateHz, 1)
  checkWhole('timescale', item.timescale, 1)
  checkWhole('startNumber', item.startNumber, 0)
  // ISO/IEC 23009-1 5.3.9.4.4: every `$` belongs to `$$` or to an identifier.
  const identifier = /\$\$|\$(Number|Bandwidth)(%0[0-9]+d)?\$|\$RepresentationID\$/g
  const hasNumber = mediaUriTemplate.match(identifier)?.some((found) => found.startsWith('$Number'))
  if (!hasNumber || mediaUriTemplate.replace(identifier, '').includes('$'))
    throw new ManifestError(
      `Representation ${id}: mediaUriTemplate must contain $Number$ and escape other "$" as "$$", not ${JSON.stringify(mediaUriTemplate)}.`,
    )
}

/** Formats an xs:duration in seconds with at most six decimals and without an exponent. */
export function durationText(durationSeconds: number): string {
  if (!(durationSeconds > 0 && durationSeconds < 1e9))
    throw new ManifestError(
      `A duration must be above 0 and below 1,000,000,000 seconds, not ${durationSeconds}.`,
    )
  return `PT${durationSeconds.toFixed(6).replace(/\.?0+$/, '')}S`
}
