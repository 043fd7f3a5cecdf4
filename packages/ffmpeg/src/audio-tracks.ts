import type { AudioStream, Probe } from './probe.ts'

/** What viewers choose from; the menu of a player grows no longer, and each is decoded and encoded for the whole file. */
const maxTracks = 8

/** An audio track that viewers can choose. */
export type AudioTrack = AudioStream & {
  /** BCP 47; null where the file doesn't say, or says what nobody knows. */
  language: string | null
  /** What people read in the menu of the player; differs from track to track. */
  label: string
}

const languageNames = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })

const canonicalTag = (tag: string): string | null => {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null
  } catch {
    return null
  }
}

/** Files say `ger`, `deu`, `de` or anything; `zxx` is music without words. RFC 5646 4.5: the shortest code is the right one. */
export const knownLanguage = (tag: string | null): { tag: string; name: string } | null => {
  const canonical = tag === null || tag === 'zxx' ? null : canonicalTag(tag)
  const name = canonical === null ? undefined : languageNames.of(canonical)
  return canonical === null || name === undefined ? null : { tag: canonical, name }
}

const maxLabelCharacters = 100

/** Names are meant for people where each track has one of its own; else they are those of the writing program: `SoundHandler`. */
const namesForPeople = (streams: readonly AudioStream[]): (string | null)[] => {
  const handlers = new Set(streams.map(({ handlerName }) => handlerName))
  const hasOwnHandlers = streams.length > 1 && handlers.size === streams.length
  return streams.map(({ title, handlerName }) => title ?? (hasOwnHandlers ? handlerName : null))
}

/** `English`, `English 2`: RFC 8216 4.3.4.1.1 wants names that differ within a group. */
const distinct = (labels: readonly string[]): string[] => {
  const taken = new Set<string>()
  return labels.map((label) => {
    let name = label
    for (let number = 2; taken.has(name); number++) name = `${label} ${number}`
    taken.add(name)
    return name
  })
}

/** The tracks that are played, the one that is heard first of all in front: the default of the file, else its first. */
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
