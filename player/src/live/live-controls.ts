import { element, iconButton } from './dom.ts'
import { canFillScreen, toggleFullScreen, togglePictureInPicture } from './full-screen.ts'
import { createSeekBar } from './seek-bar.ts'
import type { Texts } from './texts.ts'

/** What the viewer can do, whatever plays. */
export interface LiveActions {
  readonly togglePlay: () => void
  readonly toggleSound: () => void
  readonly goLive: () => void
  readonly seek: (position: number) => void
  readonly seekBy: (seconds: number) => void
}

export interface LiveControls {
  readonly bar: HTMLElement
  readonly show: (now: { readonly livePosition: number | null; readonly isAtLive: boolean }) => void
}

export const createLiveControls = (
  stage: HTMLElement,
  video: HTMLVideoElement,
  texts: Texts,
  actions: LiveActions,
): LiveControls => {
  const play = iconButton('play', 'K')
  play.button.addEventListener('click', actions.togglePlay)
  const sound = iconButton('sound', 'M')
  sound.button.addEventListener('click', actions.toggleSound)
  const volume = element('input', {
    type: 'range',
    class: 'volume',
    min: '0',
    max: '1',
    step: '0.05',
    'aria-label': texts.volume,
  })
  volume.addEventListener('input', () => {
    video.volume = Number(volume.value)
    video.muted = video.volume === 0
  })
  const live = element('button', { type: 'button', class: 'live', 'aria-keyshortcuts': 'L' })
  live.addEventListener('click', actions.goLive)
  const seekBar = createSeekBar(video, texts, actions.seek)
  const picture = iconButton('picture')
  picture.say('picture', texts.pictureInPicture)
  picture.button.hidden = !document.pictureInPictureEnabled
  picture.button.addEventListener('click', () => togglePictureInPicture(video))
  const screen = iconButton('screen', 'F')
  screen.button.hidden = !canFillScreen(video)
  screen.button.addEventListener('click', () => toggleFullScreen(stage, video))

  const bar = element(
    'div',
    { class: 'controls', role: 'group', 'aria-label': texts.player },
    play.button,
    sound.button,
    volume,
    live,
    ...seekBar.elements,
    element('span', { class: 'gap' }),
    picture.button,
    screen.button,
  )

  return {
    bar,
    show: ({ livePosition, isAtLive }) => {
      const isMuted = video.muted || video.volume === 0
      if (video.paused) play.say('play', texts.play)
      else play.say('pause', texts.pause)
      if (isMuted) sound.say('muted', texts.unmute)
      else sound.say('sound', texts.mute)
      if (document.fullscreenElement === null) screen.say('enter', texts.fullScreen)
      else screen.say('leave', texts.leaveFullScreen)
      volume.value = String(isMuted ? 0 : video.volume)
      volume.style.setProperty('--done', `${Number(volume.value) * 100}%`)
      const label = isAtLive ? texts.live : texts.backToLive
      if (live.textContent !== label) live.textContent = label
      live.title = `${label} (L)`
      // Not `disabled`, which would take the focus away from who has just pressed it.
      live.setAttribute('aria-disabled', String(isAtLive))
      seekBar.show(livePosition)
    },
  }
}
