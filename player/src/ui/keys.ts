import {
  changeSpeed,
  seekToShare,
  setVolume,
  togglePlay,
  toggleSound,
  type ControlledPlayer,
} from '../controlled-player.ts'
import type { Captions } from './captions.ts'
import { toggleFullScreen, togglePictureInPicture } from '../system/full-screen.ts'
import type { Panels } from './panels.ts'

const stepSeconds = 5
const farStepSeconds = 10
const volumeStep = 0.05
/** Keys that act once per press, however long they are held. */
const oncePerPress = new Set([' ', 'k', 'm', 'f', 'i', 'c', 'n', 'p', 's', 't', '?'])

/** Uses the keys of common players; `?` lists them. */
export const listenToKeys = (around: {
  readonly stage: HTMLElement
  readonly player: ControlledPlayer
  readonly captions: Captions
  readonly panels: Panels
  /** Remembers the volume. */
  readonly keepSound: () => void
}): void => {
  const { stage, player, captions, panels, keepSound } = around
  const { video } = player
  const volumeBy = (step: number): void => {
    setVolume(player, (video.muted ? 0 : video.volume) + step)
    keepSound()
  }
  const acts: Readonly<Record<string, () => void>> = {
    ' ': () => togglePlay(player),
    k: () => togglePlay(player),
    m: () => {
      toggleSound(player)
      keepSound()
    },
    f: () => toggleFullScreen(stage, video),
    i: () => togglePictureInPicture(video),
    c: captions.toggle,
    j: () => player.seekBy(-farStepSeconds),
    l: () => player.seekBy(farStepSeconds),
    arrowleft: () => player.seekBy(-stepSeconds),
    arrowright: () => player.seekBy(stepSeconds),
    arrowup: () => volumeBy(volumeStep),
    arrowdown: () => volumeBy(-volumeStep),
    home: () => seekToShare(player, 0),
    end: player.goToEnd,
    '<': () => changeSpeed(player, -1),
    '>': () => changeSpeed(player, 1),
    '?': panels.openHelp,
    ...(panels.openShare === null ? {} : { s: panels.openShare }),
    ...(player.items === null
      ? {}
      : { n: player.items.next, p: player.items.previous, t: player.items.theatre.toggle }),
    ...Object.fromEntries(
      Array.from({ length: 10 }, (_none, tenth) => [tenth, () => seekToShare(player, tenth / 10)]),
    ),
  }
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
    const key = event.key.toLowerCase()
    const { target } = event
    // Buttons and the volume slider have their own keys; the native steps of the seek bar are too small.
    const isTheirs =
      (target instanceof HTMLButtonElement && key === ' ') ||
      (target instanceof HTMLInputElement &&
        target.className === 'volume' &&
        /^(?:arrow|home|end)/.test(key)) ||
      (target instanceof Element && target.closest('dialog') !== null)
    if (isTheirs || !Object.hasOwn(acts, key)) return
    event.preventDefault()
    if (!event.repeat || !oncePerPress.has(key)) acts[key]?.()
  })
}
