import { setSpeed, speeds, type ControlledPlayer } from '../controlled-player.ts'
import type { Texts } from '../locales/texts.ts'
import { togglePictureInPicture } from '../system/full-screen.ts'
import type { Captions } from './captions.ts'
import { chapterAt, type Chapter } from './chapters.ts'
import type { MenuGroup } from './menu.ts'
import type { Panels } from './panels.ts'
import type { Storyboard } from './storyboard.ts'

export interface ControlsAround {
  readonly stage: HTMLElement
  readonly player: ControlledPlayer
  readonly texts: Texts
  readonly captions: Captions
  readonly chapters: () => readonly Chapter[]
  readonly storyboard: Storyboard | null
  readonly panels: Panels
  /** Remembers the volume. */
  readonly keepSound: () => void
}

export const qualityGroup = ({ player, texts }: ControlsAround): MenuGroup => {
  const choices = player.choices()
  const qualities = choices?.qualities() ?? []
  if (choices === null || qualities.length < 2) return { label: texts.quality, items: [] }
  const chosen = choices.chosen()
  const playing = choices.playing()
  const automatic =
    playing === null || chosen !== null ? texts.automatic : `${texts.automatic} (${playing.label})`
  return {
    label: texts.quality,
    items: [
      { label: automatic, isChosen: chosen === null, choose: () => choices.choose(null) },
      ...qualities.map(({ id, label }) => ({
        label,
        isChosen: id === chosen,
        choose: () => choices.choose(id),
      })),
    ],
  }
}

export const speedGroup = ({ player, texts }: ControlsAround): MenuGroup => ({
  label: texts.speed,
  // A live stream cannot play faster than real time.
  items:
    player.kind === 'live'
      ? []
      : speeds.map((speed) => ({
          label: speed === 1 ? texts.normal : `${speed.toLocaleString(document.documentElement.lang)}×`,
          isChosen: speed === player.video.playbackRate,
          choose: () => setSpeed(player, speed),
        })),
})

export const captionGroup = ({ captions, panels, texts }: ControlsAround): MenuGroup => {
  const tracks = captions.tracks()
  const shown = captions.shown()
  if (tracks.length === 0) return { label: texts.captions, items: [] }
  return {
    label: texts.captions,
    items: [
      { label: texts.off, isChosen: shown === null, choose: () => captions.choose(null) },
      ...tracks.map((track) => ({
        label: track.label === '' ? track.language : track.label,
        isChosen: track === shown,
        choose: () => captions.choose(track),
      })),
      { label: texts.captionAppearance, isChosen: null, choose: panels.openCaptionLook },
    ],
  }
}

export const audioGroup = ({ player, texts }: ControlsAround): MenuGroup => {
  const audio = player.audio()
  const tracks = audio?.tracks() ?? []
  const playing = audio?.playing()
  return {
    label: texts.audio,
    items:
      tracks.length < 2
        ? []
        : tracks.map(({ id, label }) => ({
            label,
            isChosen: id === playing?.id,
            choose: () => audio?.choose(id),
          })),
  }
}

/** The elements of a playlist are its chapters. */
export const chapterLabel = ({ kind }: ControlledPlayer, texts: Texts): string =>
  kind === 'playlist' ? texts.videos : texts.chapters

export const chapterGroup = ({ player, chapters, texts }: ControlsAround): MenuGroup => {
  const current = chapterAt(chapters(), player.video.currentTime)
  return {
    label: chapterLabel(player, texts),
    items: chapters().map((chapter) => ({
      label: chapter.title,
      isChosen: chapter === current,
      choose: () => player.seek(chapter.startSeconds),
    })),
  }
}

/** Actions whose button does not fit a narrow bar. */
export const moreGroup = ({ player, panels, texts }: ControlsAround): MenuGroup => ({
  label: texts.more,
  isForNarrow: true,
  items: [
    ...(panels.openShare === null ? [] : [{ label: texts.share, isChosen: null, choose: panels.openShare }]),
    ...(document.pictureInPictureEnabled
      ? [
          {
            label: texts.pictureInPicture,
            isChosen: null,
            choose: () => togglePictureInPicture(player.video),
          },
        ]
      : []),
  ],
})
