import type { Options } from '../options.ts'
import { speaks } from './speaks.ts'

export interface Captions {
  readonly tracks: () => readonly TextTrack[]
  readonly shown: () => TextTrack | null
  /** The selection of the viewer. Null: no captions. */
  readonly choose: (track: TextTrack | null) => void
  /** The selection of the embedding page. */
  readonly showLanguage: (language: string | null) => void
  readonly toggle: () => void
}

/**
 * The captions of a video from the engine or the browser: both create text tracks. `onChoice` receives the
 * language that the viewer selects.
 */
export const createCaptions = (
  video: HTMLVideoElement,
  wanted: Options['captions'],
  onChoice: (language: string | null) => void,
): Captions => {
  let last: TextTrack | null = null
  let wish = wanted
  const tracks = (): TextTrack[] =>
    [...video.textTracks].filter(({ kind }) => kind === 'subtitles' || kind === 'captions')
  const shown = (): TextTrack | null => tracks().find(({ mode }) => mode === 'showing') ?? null
  const set = (track: TextTrack | null): void => {
    last = track ?? shown() ?? last
    for (const one of tracks()) {
      const mode = one === track ? 'showing' : 'disabled'
      if (one.mode !== mode) one.mode = mode
    }
  }
  const show = (track: TextTrack | null): void => {
    // Applies to tracks of a later load too.
    wish = { language: track?.language ?? null }
    set(track)
  }
  const choose = (track: TextTrack | null): void => {
    show(track)
    if (track?.language !== '') onChoice(track?.language ?? null)
  }
  const inLanguage = (language: string): TextTrack | null =>
    tracks().find((track) => speaks(track.language, language)) ?? null

  const applyWish = (): void => {
    if (wish === null) return
    const { language } = wish
    const now = shown()
    if (language !== null && now !== null && speaks(now.language, language)) return
    const track = language === null ? null : inLanguage(language)
    if (language === null || track !== null) set(track)
  }
  // The engine adds tracks and shows the default one at different times.
  video.textTracks.addEventListener('addtrack', () => setTimeout(applyWish))
  video.addEventListener('playing', applyWish, { once: true })

  return {
    tracks,
    shown,
    choose,
    showLanguage: (language) => show(language === null ? null : inLanguage(language)),
    toggle: () => {
      if (shown() !== null) return choose(null)
      const language = wanted?.language ?? navigator.language
      choose(
        (last !== null && tracks().includes(last) ? last : null) ??
          inLanguage(language) ??
          tracks()[0] ??
          null,
      )
    },
  }
}
