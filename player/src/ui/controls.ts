import { setVolume, toggleSound, togglePlay } from '../controlled-player.ts'
import { canFillScreen, toggleFullScreen, togglePictureInPicture } from '../system/full-screen.ts'
import { watchRemotes, type Remote } from '../system/remote.ts'
import { element, iconButton } from './dom.ts'
import { createMenu } from './menu.ts'
import {
  audioGroup,
  captionGroup,
  chapterGroup,
  chapterLabel,
  moreGroup,
  qualityGroup,
  speedGroup,
  type ControlsAround,
} from './menu-groups.ts'
import { createSeekBar } from './seek-bar.ts'

export interface Controls {
  readonly bar: HTMLElement
  readonly show: () => void
}

/** One bar for all kinds of playout, which omits controls that do not apply. */
export const createControls = (around: ControlsAround): Controls => {
  const { stage, player, texts, panels, keepSound } = around
  const { video } = player
  const play = iconButton('play', () => togglePlay(player), 'K')
  const previous = iconButton('item', () => player.items?.previous(), 'P')
  previous.say('previous', texts.previous)
  const next = iconButton('item', () => player.items?.next(), 'N')
  next.say('next', texts.next)
  const sound = iconButton(
    'sound',
    () => {
      toggleSound(player)
      keepSound()
    },
    'M',
  )
  const volume = element('input', { type: 'range', class: 'volume', min: '0', max: '1' })
  volume.step = '0.05'
  volume.setAttribute('aria-label', texts.volume)
  volume.addEventListener('input', () => {
    setVolume(player, Number(volume.value))
    keepSound()
  })
  const live = element('button', { type: 'button', class: 'live', 'aria-keyshortcuts': 'End' })
  live.addEventListener('click', player.goToEnd)
  const seekBar = createSeekBar(player, texts, around)
  const menus = [
    createMenu('chapters', chapterLabel(player, texts), () => [chapterGroup(around)]),
    createMenu('audio', texts.audio, () => [audioGroup(around)]),
    createMenu('captions', texts.captions, () => [captionGroup(around)], 'C'),
    createMenu('settings', texts.settings, () => [
      qualityGroup(around),
      speedGroup(around),
      moreGroup(around),
    ]),
  ]
  let remote: Remote | null = null
  const other = iconButton('remote', () => remote?.choose())
  other.button.hidden = true
  watchRemotes({
    video,
    playNatively: player.playNatively,
    onChange: (found) => {
      remote = found
      other.button.hidden = found === null
      if (found === null) return
      const label = found.kind === 'airplay' ? texts.airPlay : texts.cast
      other.say(found.kind, found.isConnected ? texts.stopCast : label)
      other.button.classList.toggle('on', found.isConnected)
    },
  })
  const share = iconButton('share', () => panels.openShare?.(), 'S')
  share.say('share', texts.share)
  share.button.hidden = panels.openShare === null
  const theatre = iconButton(
    'theatre-button',
    () => {
      player.items?.theatre.toggle()
      controls.show()
    },
    'T',
  )
  const picture = iconButton('picture', () => togglePictureInPicture(video), 'I')
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
    share.button,
    other.button,
    picture.button,
    ...(player.items === null ? [] : [theatre.button]),
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

  const controls: Controls = {
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
      const isInPicture = document.pictureInPictureElement === video
      picture.say('picture', isInPicture ? texts.leavePictureInPicture : texts.pictureInPicture)
      theatre.say('theatre', player.items?.theatre.isOn() === true ? texts.leaveTheatre : texts.theatre)
      volume.value = String(isMuted ? 0 : video.volume)
      volume.style.setProperty('--done', `${Number(volume.value) * 100}%`)
      if (player.kind === 'live') showLive()
      for (const menu of menus) menu.show()
      seekBar.show()
    },
  }
  return controls
}
