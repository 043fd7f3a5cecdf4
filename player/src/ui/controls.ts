import {
  setSpeed,
  setVolume,
  speeds,
  toggleSound,
  togglePlay,
  type ControlledPlayer,
} from '../controlled-player.ts'
import type { Captions } from './captions.ts'
import { chapterAt, type Chapter } from './chapters.ts'
import { element, iconButton } from './dom.ts'
import { canFillScreen, toggleFullScreen, togglePictureInPicture } from './full-screen.ts'
import { createMenu, type MenuGroup } from './menu.ts'
import { watchRemotes, type Remote } from './remote.ts'
import { createSeekBar } from './seek-bar.ts'
import type { Storyboard } from './storyboard.ts'
import type { Texts } from '../locales/texts.ts'

export interface ControlsAround {
  readonly stage: HTMLElement
  readonly player: ControlledPlayer
  readonly texts: Texts
  readonly captions: Captions
  readonly chapters: () => readonly Chapter[]
  readonly storyboard: Storyboard | null
}

export interface Controls {
  readonly bar: HTMLElement
  readonly show: () => void
}

const qualityGroup = ({ player, texts }: ControlsAround): MenuGroup => {
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

const speedGroup = ({ player, texts }: ControlsAround): MenuGroup => ({
  label: texts.speed,
  // A live stream cannot play faster than real time.
  items:
    player.kind === 'live'
      ? []
      : speeds.map((speed) => ({
          label: speed === 1 ? texts.normal : `${speed}×`,
          isChosen: speed === player.video.playbackRate,
          choose: () => setSpeed(player, speed),
        })),
})

const captionGroup = ({ captions, texts }: ControlsAround): MenuGroup => {
  const tracks = captions.tracks()
  const shown = captions.shown()
  if (tracks.length === 0) return { label: texts.captions, items: [] }
  return {
    label: texts.captions,
    items: [
      { label: texts.off, isChosen: shown === null, choose: () => captions.show(null) },
      ...tracks.map((track) => ({
        label: track.label === '' ? track.language : track.label,
        isChosen: track === shown,
        choose: () => captions.show(track),
      })),
    ],
  }
}

const audioGroup = ({ player, texts }: ControlsAround): MenuGroup => {
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

const chapterGroup = ({ player, chapters, texts }: ControlsAround): MenuGroup => {
  const current = chapterAt(chapters(), player.video.currentTime)
  return {
    label: texts.chapters,
    // A playlist shows its list instead.
    items:
      player.kind === 'playlist'
        ? []
        : chapters().map((chapter) => ({
            label: chapter.title,
            isChosen: chapter === current,
            choose: () => player.seek(chapter.startSeconds),
          })),
  }
}

/** One bar for all kinds of playout, which omits controls that do not apply. */
export const createControls = (around: ControlsAround): Controls => {
  const { stage, player, texts } = around
  const { video } = player
  const play = iconButton('play', () => togglePlay(player), 'K')
  const previous = iconButton('item', () => player.items?.previous(), 'P')
  previous.say('previous', texts.previous)
  const next = iconButton('item', () => player.items?.next(), 'N')
  next.say('next', texts.next)
  const sound = iconButton('sound', () => toggleSound(player), 'M')
  const volume = element('input', { type: 'range', class: 'volume', min: '0', max: '1' })
  volume.step = '0.05'
  volume.setAttribute('aria-label', texts.volume)
  volume.addEventListener('input', () => setVolume(player, Number(volume.value)))
  const live = element('button', { type: 'button', class: 'live', 'aria-keyshortcuts': 'End' })
  live.addEventListener('click', player.goToEnd)
  const seekBar = createSeekBar(player, texts, around)
  const menus = [
    createMenu('chapters', texts.chapters, () => [chapterGroup(around)]),
    createMenu('audio', texts.audio, () => [audioGroup(around)]),
    createMenu('captions', texts.captions, () => [captionGroup(around)], 'C'),
    createMenu('settings', texts.settings, () => [qualityGroup(around), speedGroup(around)]),
  ]
  let remote: Remote | null = null
  const other = iconButton('remote', () => {
    if (remote?.kind === 'cast' || player.playNatively()) remote?.choose()
  })
  other.button.hidden = true
  watchRemotes(video, (found) => {
    remote = found
    other.button.hidden = found === null
    if (found !== null) other.say(found.kind, found.kind === 'airplay' ? texts.airPlay : texts.cast)
  })
  const picture = iconButton('picture', () => togglePictureInPicture(video), 'I')
  picture.say('picture', texts.pictureInPicture)
  picture.button.hidden = !document.pictureInPictureEnabled
  const screen = iconButton('screen', () => toggleFullScreen(stage, video), 'F')
  screen.button.hidden = !canFillScreen(video)

  const row = element(
    'div',
    { class: 'row' },
    play.button,
    ...(player.items === null ? [] : [previous.button, next.button]),
    sound.button,
    volume,
    ...(player.kind === 'live' ? [live] : []),
    seekBar.time,
    element('span', { class: 'gap' }),
    ...menus.map((menu) => menu.element),
    other.button,
    picture.button,
    screen.button,
  )
  const bar = element(
    'div',
    { class: 'controls', role: 'group', 'aria-label': texts.player },
    seekBar.bar,
    row,
  )

  const showLive = (): void => {
    const isAtLive = player.isAtLive()
    const label = isAtLive ? texts.live : texts.backToLive
    if (live.textContent !== label) live.textContent = label
    live.title = `${label} (End)`
    // `disabled` would take the focus away from the pressed button.
    live.setAttribute('aria-disabled', String(isAtLive))
  }

  return {
    bar,
    show: () => {
      const isMuted = video.muted || video.volume === 0
      if (video.ended && player.kind !== 'live') play.say('replay', texts.replay)
      else if (video.paused) play.say('play', texts.play)
      else play.say('pause', texts.pause)
      if (isMuted) sound.say('muted', texts.unmute)
      else sound.say('sound', texts.mute)
      if (document.fullscreenElement === null) screen.say('enter', texts.fullScreen)
      else screen.say('leave', texts.leaveFullScreen)
      volume.value = String(isMuted ? 0 : video.volume)
      volume.style.setProperty('--done', `${Number(volume.value) * 100}%`)
      if (player.kind === 'live') showLive()
      for (const menu of menus) menu.show()
      seekBar.show()
    },
  }
}
