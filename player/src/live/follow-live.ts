/** Who has not gone back is brought to the end again when so far from it: a laptop that slept, a network that was away. */
const jumpAfterSeconds = 8
/** Nearer than this, one is live. */
const nearSeconds = 3
const stepsWithinMs = 250

export interface LiveFollower {
  readonly isAtLive: (livePosition: number | null) => boolean
  /** The viewer has chosen a place. */
  readonly choose: (position: number) => void
  /** Steps that follow each other quickly are one. */
  readonly chooseBy: (seconds: number) => void
  readonly goLive: () => void
  readonly keepUp: (livePosition: number | null) => void
}

/** Keeps a viewer at the end of the stream, until it goes back or pauses. */
export const followLive = (video: HTMLVideoElement, position: () => number | null): LiveFollower => {
  let isFollowing = true
  const behindSeconds = (livePosition: number | null): number =>
    livePosition === null ? 0 : livePosition - video.currentTime
  const goLive = (): void => {
    isFollowing = true
    const live = position()
    if (live !== null && Math.abs(live - video.currentTime) > nearSeconds / 2) video.currentTime = live
  }
  video.addEventListener('pause', () => {
    isFollowing = false
  })
  const choose = (wanted: number): void => {
    const { seekable } = video
    if (seekable.length === 0) return
    const live = position() ?? seekable.end(seekable.length - 1)
    if (wanted > live - nearSeconds / 2) return goLive()
    isFollowing = false
    const target = Math.max(seekable.start(0), wanted)
    // The engine loses its way when it is sent twice to where it is going.
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
  return {
    isAtLive: (livePosition) => !video.paused && (isFollowing || behindSeconds(livePosition) < nearSeconds),
    choose,
    chooseBy,
    goLive,
    keepUp: (livePosition) => {
      if (!video.paused && behindSeconds(livePosition) < nearSeconds) isFollowing = true
      // At the beginning the engine chooses the place itself.
      if (!isFollowing || video.paused || video.seeking || video.readyState === 0) return
      if (behindSeconds(livePosition) > jumpAfterSeconds) goLive()
    },
  }
}
