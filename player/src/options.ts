import { parseClock } from './ui/clock-text.ts'
import type { Chapter } from './ui/chapters.ts'

export interface Options {
  /** Null when unspecified: a live stream then starts by itself, a video does not. */
  readonly autoplay: boolean | null
  /** Loads the engine and media at once, not only on play. */
  readonly isPreloaded: boolean
  readonly muted: boolean
  readonly loop: boolean
  readonly startSeconds: number
  readonly hasControls: boolean
  readonly hasKeys: boolean
  readonly hasLogo: boolean
  /** A language, or no captions. Null leaves the default. */
  readonly captions: { readonly language: string | null } | null
  /** Language of the audio track. Null leaves the default. */
  readonly audioLanguage: string | null
  readonly color: string | null
  readonly language: string | null
  readonly chapters: readonly Chapter[]
  /** Origin of the embedding page, the only one that may exchange messages. */
  readonly hostOrigin: string | null
}

const maxChapters = 500

const parseFlag = (text: string | null): boolean | null => {
  if (text === null) return null
  return !['0', 'false', 'no', 'off'].includes(text.toLowerCase())
}

const parseColor = (text: string | null): string | null => {
  const [, digits] = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text ?? '') ?? []
  return digits === undefined ? null : `#${digits.toLowerCase()}`
}

/** `0:00 Intro|1:35 The valley`: a time, a space and a title each. */
export const parseChapters = (given: string): Chapter[] =>
  given
    .split('|')
    .flatMap((one) => {
      const text = one.trim()
      const end = text.search(/\s/)
      const startSeconds = end < 0 ? null : parseClock(text.slice(0, end))
      return startSeconds === null ? [] : [{ startSeconds, title: text.slice(end).trim() }]
    })
    .slice(0, maxChapters)
    .sort((a, b) => a.startSeconds - b.startSeconds)

const parseOrigin = (text: string | null): string | null => {
  if (text === null || !URL.canParse(text)) return null
  const { protocol, origin } = new URL(text)
  return protocol === 'http:' || protocol === 'https:' ? origin : null
}

/** Ignores invalid values: a hand-written URL must not break the page. */
export const parseOptions = (search: string): Options => {
  const query = new URLSearchParams(search)
  const captions = query.get('captions')
  return {
    autoplay: parseFlag(query.get('autoplay')),
    isPreloaded: parseFlag(query.get('preload')) ?? false,
    muted: parseFlag(query.get('muted')) ?? false,
    loop: parseFlag(query.get('loop')) ?? false,
    startSeconds: parseClock(query.get('start') ?? '') ?? 0,
    hasControls: parseFlag(query.get('controls')) ?? true,
    hasKeys: parseFlag(query.get('keys')) ?? true,
    hasLogo: parseFlag(query.get('logo')) ?? true,
    captions: captions === null ? null : { language: captions === 'off' ? null : captions.toLowerCase() },
    audioLanguage: query.get('audio')?.toLowerCase() || null,
    color: parseColor(query.get('color')),
    language: query.get('lang'),
    chapters: parseChapters(query.get('chapters') ?? ''),
    hostOrigin: parseOrigin(query.get('origin')),
  }
}
