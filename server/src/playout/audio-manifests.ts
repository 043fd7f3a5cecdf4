import { quotableText, type Rendition } from '@zoetrope/hls'
import { languageName } from '../captions/caption-language.ts'
import type { RenditionRow } from '../files/file-record.ts'

/** How audio tracks stand in manifests; URIs are relative, so that a token in the path is carried along. */

export const audioGroupId = 'audio'

/**
 * One rendition for each track that viewers can choose, the default first. While a run takes the place of a killed one, both have one: the older is
 * what is being watched.
 */
export const audioTracks = <Row extends RenditionRow>(renditions: readonly Row[]): Row[] => {
  const tracks = new Map<number, Row>()
  for (const one of renditions.filter(({ kind }) => kind === 'audio').toSorted((a, b) => a.id - b.id))
    if (!tracks.has(one.position)) tracks.set(one.position, one)
  return [...tracks.values()].toSorted((a, b) => a.position - b.position)
}

const englishNames = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })

/** What people read in a menu. A track that is named after its language has the name that captions have: `Deutsch`, `Deutsch 2`. */
export const audioLabel = ({ label, language }: RenditionRow): string => {
  const english = language === null ? undefined : englishNames.of(language)
  const isLanguage = language !== null && english !== undefined && label?.startsWith(english) === true
  const rest = isLanguage ? label.slice(english.length) : ''
  return quotableText(
    isLanguage && /^(?: \d+)?$/.test(rest) ? languageName(language) + rest : (label ?? language ?? 'Audio'),
  )
}

/** RFC 8216 4.3.4.1.1: names differ within a group. */
const distinctNames = (audios: readonly RenditionRow[]): string[] => {
  const taken = new Set<string>()
  return audios.map((audio, index) => {
    const label = audioLabel(audio)
    let name = label
    for (let number = index + 1; taken.has(name); number++) name = `${label} (${number})`
    taken.add(name)
    return name
  })
}

export const audioRenditions = (
  audios: readonly RenditionRow[],
  playlistUri: (rendition: RenditionRow) => string,
): Rendition[] => {
  const names = distinctNames(audios)
  return audios.map((audio, index) => ({
    type: 'AUDIO',
    groupId: audioGroupId,
    name: names[index] ?? '',
    ...(audio.language === null ? {} : { language: audio.language }),
    isDefault: index === 0,
    // 4.3.4.1.1: what a player may choose by itself differs in language; another of the same is for people to pick.
    isAutoselect: audios.findIndex(({ language }) => language === audio.language) === index,
    ...(audio.channels === null ? {} : { channels: audio.channels }),
    uri: playlistUri(audio),
  }))
}
