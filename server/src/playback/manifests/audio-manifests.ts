import { quotableText, type Rendition } from '@zoetrope/hls'
import { englishLanguageName, languageName } from '../../library/captions/caption-language.ts'
import type { RenditionRow } from '../../library/files/record/parts/rendition-record.ts'
import { distinctNames } from './distinct-names.ts'

/**
 * Group id of the audio renditions. Their URIs are relative, so that a token in the path applies to them too.
 */

export const audioGroupId = 'audio'

/**
 * Returns one rendition for each selectable audio track, the default first. While a run replaces a killed
 * one, both have a rendition; viewers are watching the older one.
 */
export const audioTracks = <Row extends RenditionRow>(renditions: readonly Row[]): Row[] => {
  const tracks = new Map<number, Row>()
  for (const one of renditions.filter(({ kind }) => kind === 'audio').toSorted((a, b) => a.id - b.id))
    if (!tracks.has(one.position)) tracks.set(one.position, one)
  return [...tracks.values()].toSorted((a, b) => a.position - b.position)
}

/**
 * Returns the name shown in a menu. A track named after its language gets the same name as captions, such as
 * `Deutsch` or `Deutsch 2`.
 */
export const audioLabel = ({ label, language }: RenditionRow): string => {
  const english = language === null ? undefined : englishLanguageName(language)
  const isLanguage = language !== null && english !== undefined && label?.startsWith(english) === true
  const rest = isLanguage ? label.slice(english.length) : ''
  return quotableText(
    isLanguage && /^(?: \d+)?$/.test(rest) ? languageName(language) + rest : (label ?? language ?? 'Audio'),
  )
}

/** Yields `Deutsch`, `Deutsch (2)`, `Deutsch (3)` and so on, without an end. */
function* numberedNames(label: string, firstNumber: number): Iterable<string> {
  yield label
  for (let number = firstNumber; ; number++) yield `${label} (${number})`
}

export const audioRenditions = (
  audios: readonly RenditionRow[],
  playlistUri: (rendition: RenditionRow) => string,
): Rendition[] => {
  const names = distinctNames(audios.map((audio, index) => numberedNames(audioLabel(audio), index + 1)))
  return audios.map((audio, index) => ({
    type: 'AUDIO',
    groupId: audioGroupId,
    name: names[index] ?? '',
    ...(audio.language === null ? {} : { language: audio.language }),
    isDefault: index === 0,
    // RFC 8216, section 4.3.4.1.1: AUTOSELECT renditions differ in language, so a second one in the same
    // language is left to the viewer.
    isAutoselect: audios.findIndex(({ language }) => language === audio.language) === index,
    ...(audio.channels === null ? {} : { channels: audio.channels }),
    uri: playlistUri(audio),
  }))
}
