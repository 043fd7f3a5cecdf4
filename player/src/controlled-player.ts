import type { AudioChoices } from './engine/audio-choices.ts'
import type { Choices } from './engine/choices.ts'

/** A place this close to the live position counts as live. */
export const nearLiveSeconds = 1.5

/** What can be sought, by the clock of the video element. */
export interface Timeline {
  readonly startSeconds: number
  readonly endSeconds: number
}

/** What controls, keys and the page around it can do, whatever plays. */
export interface ControlledPlayer {
  readonly video: HTMLVideoElement
  readonly kind: 'file' | 'playlist' | 'live'
  /** Null while nothing can be sought. */
  readonly timeline: () => Timeline | null
  readonly isAtLive: () => boolean
  readonly play: () => void
  readonly pause: () => void
  readonly seek: (seconds: number) => void
  readonly seekBy: (seconds: number) => void
  /** Of a live stream: to what happens now. */
  readonly goToEnd: () => void
  /** Null where the browser chooses by itself, and until something plays. */
  readonly choices: () => Choices | null
  /** Null where the browser lets no page choose, and until something plays. */
  readonly audio: () => AudioChoices | null
  /** Plays by the browser's own means, which can hand it to another device; false where it cannot. */
  readonly playNatively: () => boolean
  /** Null where there is no next and no previous. */
  readonly items: { readonly next: () => void; readonly previous: () => void } | null
}

export const togglePlay = ({ video, play, pause }: ControlledPlayer): void =>
  video.paused ? play() : pause()

export const toggleSound = ({ video }: ControlledPlayer): void => {
  video.muted = !video.muted && video.volume > 0
  if (!video.muted && video.volume === 0) video.volume = 1
}

export const setVolume = ({ video }: ControlledPlayer, volume: number): void => {
  video.volume = Math.min(1, Math.max(0, volume))
  video.muted = video.volume === 0
}

/** Also for what is loaded later: with each load a browser goes back to the default. */
export const setSpeed = ({ video }: ControlledPlayer, speed: number): void => {
  video.defaultPlaybackRate = speed
  video.playbackRate = speed
}

export const speeds = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2] as const

/** One step slower or faster. */
export const changeSpeed = (player: ControlledPlayer, step: 1 | -1): void => {
  const { playbackRate } = player.video
  const wanted =
    step > 0 ? speeds.find((speed) => speed > playbackRate) : speeds.findLast((speed) => speed < playbackRate)
  if (wanted !== undefined) setSpeed(player, wanted)
}

/** To a share of what can be sought. */
export const seekToShare = ({ timeline, seek }: ControlledPlayer, share: number): void => {
  const known = timeline()
  if (known !== null) seek(known.startSeconds + share * (known.endSeconds - known.startSeconds))
}
