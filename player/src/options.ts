import { parseClock } from './ui/clock-text.ts'
import type { Chapter } from './ui/chapters.ts'

export interface Options {
  /** Null when unspecified: a live stream then starts by itself, a video does not. */
  readonly autoplay: boolean | null
  /** Loads the engine and media at once, not only on play. */
  readonly isPreloaded: boolean
  /** Null when unspecified: the sound is then as the viewer left it. */
  readonly muted: boolean | null
  readonly loop: boolean
  readonly startSeconds: number
  readonly hasControls: boolean
  readonly hasKeys: boolean
  readonly hasLogo: boolean
  /** Whether the seek bar shows the most played parts, if the project allows it. */
  readonly hasHeatMap: boolean
  /** Whether the player remembers the viewer's settings on the device. */
  readonly isRemembering: boolean
  /** The address to share; false = none, null = that of the player page. */
  readonly share: string | false | null
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

const parseUrl = (text: string | null): URL | null => {
  if (text === null || !URL.canParse(text)) return null
  const url = new URL(text)
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : null
}

const parseShare = (text: string | null): Options['share'] =>
  parseFlag(text) === false ? false : (parseUrl(text)?.href ?? null)

/** Ignores invalid values: a hand-written URL must not break the page. */
export const parseOptions = (search: string): Options => {
  const query = new URLSearchParams(search)
  const captions = query.get('captions')
  return {
    autoplay: parseFlag(query.get('autoplay')),
    isPreloaded: parseFlag(query.get('preload')) ?? false,
    muted: parseFlag(query.get('muted')),
    loop: parseFlag(query.get('loop')) ?? false,
    startSeconds: parseClock(query.get('t') ?? query.get('start') ?? '') ?? 0,
    hasControls: parseFlag(query.get('controls')) ?? true,
    hasKeys: parseFlag(query.get('keys')) ?? true,
    hasLogo: parseFlag(query.get('logo')) ?? true,
    hasHeatMap: parseFlag(query.get('heatmap')) ?? true,
    isRemembering: parseFlag(query.get('remember')) ?? true,
    share: parseShare(query.get('share')),
    captions: captions === null ? null : { language: captions === 'off' ? null : captions.toLowerCase() },
    audioLanguage: query.get('audio')?.toLowerCase() || null,
    color: parseColor(query.get('color')),
    language: query.get('lang'),
    chapters: parseChapters(query.get('chapters') ?? ''),
    hostOrigin: parseUrl(query.get('origin'))?.origin ?? null,
  }
}
