import type { AudioChoices } from './engine/audio-choices.ts'
import type { Choices } from './engine/choices.ts'

/** A position this close to the live edge counts as live. */
export const nearLiveSeconds = 1.5

export interface Timeline {
  readonly startSeconds: number
  readonly endSeconds: number
}

export interface ControlledPlayer {
  readonly video: HTMLVideoElement
  readonly kind: 'file' | 'playlist' | 'live'
  /** Null while nothing is seekable. */
  readonly timeline: () => Timeline | null
  readonly isAtLive: () => boolean
  /** Where it plays, or will begin to play. */
  readonly position: () => number
  readonly play: () => void
  readonly pause: () => void
  readonly seek: (seconds: number) => void
  readonly seekBy: (seconds: number) => void
  readonly goToEnd: () => void
  /** Null where the browser selects the quality itself, and before playback. */
  readonly choices: () => Choices | null
  /** Null where the browser offers no selection, and before playback. */
  readonly audio: () => AudioChoices | null
  /**
   * Switches to native playback, which can hand the video to another device. Returns false when the browser
   * cannot.
   */
  readonly playNatively: () => boolean
  /** Null without playlist elements. */
  readonly items: {
    readonly next: () => void
    readonly previous: () => void
    readonly theatre: { readonly isOn: () => boolean; readonly toggle: () => void }
  } | null
}

export const togglePlay = ({ video, play, pause }: ControlledPlayer): void =>
  video.paused ? play() : pause()

export const toggleSound = ({ video }: ControlledPlayer): void => {
  video.muted = !video.muted && video.volume > 0
  if (!video.muted && video.volume === 0) video.volume = 1
}

export const setVolume = ({ video }: ControlledPlayer, volume: number): void => {
  // Whole percent: steps would add up to 0.7999.
  video.volume = Math.round(Math.min(1, Math.max(0, volume)) * 100) / 100
  video.muted = video.volume === 0
}

/** Sets the default rate too, because a browser resets to it with each load. */
export const setSpeed = ({ video }: ControlledPlayer, speed: number): void => {
  video.defaultPlaybackRate = speed
  video.playbackRate = speed
}

export const speeds = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2] as const

export const changeSpeed = (player: ControlledPlayer, step: 1 | -1): void => {
  const { playbackRate } = player.video
  const wanted =
    step > 0 ? speeds.find((speed) => speed > playbackRate) : speeds.findLast((speed) => speed < playbackRate)
  if (wanted !== undefined) setSpeed(player, wanted)
}

export const seekToShare = ({ timeline, seek }: ControlledPlayer, share: number): void => {
  const known = timeline()
  if (known !== null) seek(known.startSeconds + share * (known.endSeconds - known.startSeconds))
}
