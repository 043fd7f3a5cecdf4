import type Hls from 'hls.js'
import type { Events } from 'hls.js'
import { speaks } from '../ui/speaks.ts'

export interface AudioChoice {
  readonly id: number
  readonly label: string
  /** BCP 47. Empty when unknown. */
  readonly language: string
}

export interface AudioChoices {
  readonly tracks: () => readonly AudioChoice[]
  readonly playing: () => AudioChoice | null
  readonly choose: (id: number) => void
  /** Keeps the current track when none has this language. */
  readonly chooseLanguage: (language: string) => void
}

interface Source {
  readonly tracks: () => readonly AudioChoice[]
  readonly playing: () => AudioChoice | null
  readonly choose: (id: number) => void
}

/** `applyWish` must be called whenever the tracks change: the selection survives a reload. */
const createChoices = (
  { tracks, playing, choose }: Source,
  wanted: string | null,
): AudioChoices & { readonly applyWish: () => void } => {
  let wish: { readonly language: string; readonly label?: string } | null =
    wanted === null ? null : { language: wanted }
  const applyWish = (): void => {
    if (wish === null) return
    const { language, label } = wish
    const fitting = tracks().filter((track) => track.label === label || speaks(track.language, language))
    const track = fitting.find((one) => one.label === label) ?? fitting[0]
    if (track !== undefined && track.id !== playing()?.id) choose(track.id)
  }
  return {
    tracks,
    playing,
    choose: (id) => {
      wish = tracks().find((track) => track.id === id) ?? wish
      choose(id)
    },
    chooseLanguage: (language) => {
      const now = playing()
      if (now !== null && speaks(now.language, language)) return
      wish = { language }
      applyWish()
    },
    applyWish,
  }
}

export const audioOfEngine = (
  hls: Hls,
  events: typeof Events,
  { wanted, onChange }: { readonly wanted: string | null; readonly onChange: () => void },
): AudioChoices => {
  const tracks = () => hls.audioTracks.map(({ name, lang = '' }, id) => ({ id, label: name, language: lang }))
  const { applyWish, ...choices } = createChoices(
    {
      tracks,
      playing: () => tracks()[hls.audioTrack] ?? null,
      choose: (id) => {
        hls.audioTrack = id
      },
    },
    wanted,
  )
  hls.on(events.AUDIO_TRACKS_UPDATED, () => {
    applyWish()
    onChange()
  })
  hls.on(events.AUDIO_TRACK_SWITCHED, onChange)
  return choices
}

/** The audio track list of HTML 4.8.11.10.1, which Safari has and the DOM types lack. */
interface NativeTracks extends EventTarget, Iterable<NativeTrack> {
  readonly length: number
}

interface NativeTrack {
  enabled: boolean
  readonly label: string
  readonly language: string
}

/** Null in browsers that offer no selection. */
export const audioOfBrowser = (
  video: HTMLVideoElement,
  { wanted, onChange }: { readonly wanted: string | null; readonly onChange: () => void },
): AudioChoices | null => {
  const { audioTracks: list } = video as { readonly audioTracks?: NativeTracks }
  if (list === undefined) return null
  const all = (): NativeTrack[] => Array.from(list)
  const tracks = () => all().map(({ label, language }, id) => ({ id, label: label || language, language }))
  const { applyWish, ...choices } = createChoices(
    {
      tracks,
      playing: () => tracks()[all().findIndex(({ enabled }) => enabled)] ?? null,
      choose: (id) => {
        for (const [at, track] of all().entries()) track.enabled = at === id
      },
    },
    wanted,
  )
  list.addEventListener('addtrack', () => {
    applyWish()
    onChange()
  })
  list.addEventListener('change', onChange)
  return choices
}
