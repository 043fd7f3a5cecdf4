import { nearLiveSeconds } from '../controlled-player.ts'
import type { LiveLimits } from './playback.ts'

const noLimits: LiveLimits = {
  liveWithinSeconds: Infinity,
  jumpAfterSeconds: Infinity,
  fastestRate: 1,
}
/** A viewer behind live follows the stream again within this distance of the live edge. */
const rejoinWithinSeconds = 0.5
/** Two thresholds prevent the rate from oscillating around the target. */
const catchUpAboveSeconds = 0.1
const catchUpUntilSeconds = 0.02
/** Above this distance the viewer catches up at the fastest rate, below it at half of that gain. */
const farSeconds = 1
/**
 * With less than this in the buffer, a higher rate would stall. It must be less than the playlist holds back: a viewer
 * a little behind has hardly more than that in the buffer.
 */
const leastAheadSeconds = 0.4
const stepsWithinMs = 250

export interface LivePlace {
  /** Null until it is known. */
  readonly position: number | null
  readonly limits: LiveLimits
  /** The picture stands still although it should move. */
  readonly isStalled: boolean
}

export const unknownPlace: LivePlace = { position: null, limits: noLimits, isStalled: false }

export interface LiveFollower {
  readonly isAtLive: () => boolean
  readonly choose: (position: number) => void
  /** Steps in quick succession add up to one seek. */
  readonly chooseBy: (seconds: number) => void
  readonly goLive: () => void
  /** Call it several times a second. */
  readonly keepUp: () => void
}

type FollowedVideo = Pick<
  HTMLVideoElement,
  'currentTime' | 'playbackRate' | 'paused' | 'seeking' | 'readyState' | 'buffered' | 'seekable'
> & { readonly addEventListener: (event: 'pause', listener: () => void) => void }

/** Keeps the viewer at the live edge until the viewer seeks back or pauses. */
export const followLive = (video: FollowedVideo, place: () => LivePlace): LiveFollower => {
  let isFollowing = true

  const behindSeconds = ({ position }: LivePlace): number =>
    position === null ? 0 : position - video.currentTime

  const goLive = (): void => {
    isFollowing = true
    const { position } = place()
    if (position !== null && Math.abs(position - video.currentTime) > nearLiveSeconds)
      video.currentTime = position
  }

  video.addEventListener('pause', () => {
    isFollowing = false
  })

  const choose = (wanted: number): void => {
    const { seekable } = video
    if (seekable.length === 0) return
    const live = place().position ?? seekable.end(seekable.length - 1)
    if (wanted > live - nearLiveSeconds) return goLive()
    isFollowing = false
    const target = Math.max(seekable.start(0), wanted)
    // hls.js fails when it is sent twice to the position that it is seeking to.
    if (Math.abs(target - video.currentTime) > 0.1) video.currentTime = target
  }

  let stepSeconds = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const chooseBy = (seconds: number): void => {
    stepSeconds += seconds
    clearTimeout(timer)
    timer = setTimeout(() => {
      choose(video.currentTime + stepSeconds)
      stepSeconds = 0
    }, stepsWithinMs)
  }

  const setRate = (rate: number): void => {
    if (video.playbackRate !== rate) video.playbackRate = rate
  }

  const rateFor = (behind: number, fastestRate: number): number => {
    const isCatchingUp = video.playbackRate > 1
    if (behind < (isCatchingUp ? catchUpUntilSeconds : catchUpAboveSeconds)) return 1
    if (aheadSeconds(video) < leastAheadSeconds) return 1
    return behind > farSeconds ? fastestRate : (1 + fastestRate) / 2
  }

  return {
    isAtLive: () => {
      const now = place()
      return !video.paused && !now.isStalled && behindSeconds(now) <= now.limits.liveWithinSeconds
    },
    choose,
    chooseBy,
    goLive,
    keepUp: () => {
      const now = place()
      const behind = behindSeconds(now)
      if (!video.paused && behind < rejoinWithinSeconds) isFollowing = true
      if (!isFollowing || video.paused) return setRate(1)
      // The engine selects the start position itself.
      if (video.seeking || video.readyState === 0) return
      if (behind > now.limits.jumpAfterSeconds) goLive()
      else setRate(rateFor(behind, now.limits.fastestRate))
    },
  }
}

const aheadSeconds = ({ buffered, currentTime }: Pick<FollowedVideo, 'buffered' | 'currentTime'>): number => {
  for (let range = 0; range < buffered.length; range++)
    if (buffered.start(range) <= currentTime && currentTime <= buffered.end(range))
      return buffered.end(range) - currentTime
  return 0
}
