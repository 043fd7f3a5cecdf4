import type { AudioStream, Probe } from './probe.ts'

/** Player menus show at most this many tracks. Each track is decoded and encoded for the whole file. */
const maxTracks = 8

export type AudioTrack = AudioStream & {
  /** BCP 47; null when the file names no language or an unknown one. */
  language: string | null
  /** Label in the player menu; unique among the tracks. */
  label: string
}

// Creating the names takes 25 ms, so a start without media does not pay for them.
let languageNames: Intl.DisplayNames | undefined
/** `Intl.DisplayNames` refuses extensions and private subtags, so the name is that of the rest: `de-x-sport` → `de`. */
const englishName = (tag: string): string | undefined =>
  (languageNames ??= new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })).of(
    new Intl.Locale(tag).baseName,
  )

const canonicalTag = (tag: string): string | null => {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null
  } catch {
    return null
  }
}

/**
 * Returns the canonical tag and English name of a language, or null when unknown. Files contain `ger`, `deu`,
 * `de` or arbitrary text; RFC 5646 section 4.5 prefers the shortest code. `zxx` marks music without words.
 */
export const knownLanguage = (tag: string | null): { tag: string; name: string } | null => {
  const canonical = tag === null || tag === 'zxx' ? null : canonicalTag(tag)
  const name = canonical === null ? undefined : englishName(canonical)
  return canonical === null || name === undefined ? null : { tag: canonical, name }
}

const maxLabelCharacters = 100

/**
 * Uses handler names only when every track has its own. Otherwise they come from the writing program, such as
 * `SoundHandler`.
 */
const namesForPeople = (streams: readonly AudioStream[]): (string | null)[] => {
  const handlers = new Set(streams.map(({ handlerName }) => handlerName))
  const hasOwnHandlers = streams.length > 1 && handlers.size === streams.length
  return streams.map(({ title, handlerName }) => title ?? (hasOwnHandlers ? handlerName : null))
}

/**
 * Numbers duplicate labels, as in `English`, `English 2`: RFC 8216 section 4.3.4.1.1 requires distinct names
 * within a group.
 */
const distinct = (labels: readonly string[]): string[] => {
  const taken = new Set<string>()
  return labels.map((label) => {
    let name = label
    for (let number = 2; taken.has(name); number++) name = `${label} ${number}`
    taken.add(name)
    return name
  })
}

/**
 * Returns the tracks that viewers can choose, the default track first. Without a default, the first track of
 * the file leads.
 */
export const playedAudio = ({ audio }: Pick<Probe, 'audio'>): AudioTrack[] => {
  const first = audio.find(({ isDefault }) => isDefault) ?? audio[0]
  const streams = audio.toSorted((a, b) => Number(b === first) - Number(a === first)).slice(0, maxTracks)
  const names = namesForPeople(streams)
  const languages = streams.map(({ language }) => knownLanguage(language))
  const labels = distinct(
    streams.map((_, index) =>
      (names[index] ?? languages[index]?.name ?? 'Audio').slice(0, maxLabelCharacters),
    ),
  )
  return streams.map((stream, index) => ({
    ...stream,
    language: languages[index]?.tag ?? null,
    label: labels[index] ?? '',
  }))
}
