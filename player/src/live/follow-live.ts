/** Who has not gone back is brought to the end again when so far from it: a laptop that slept, a network that was away. */
const jumpAfterSeconds = 8
/** Nearer than this, one is live. */
const nearSeconds = 3

export interface LiveFollower {
  readonly isAtLive: (livePosition: number | null) => boolean
  /** The viewer has chosen a place. */
  readonly choose: (position: number) => void
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
  return {
    isAtLive: (livePosition) => !video.paused && (isFollowing || behindSeconds(livePosition) < nearSeconds),
    choose: (wanted) => {
      const { seekable } = video
      if (seekable.length === 0) return
      const live = position() ?? seekable.end(seekable.length - 1)
      if (wanted > live - nearSeconds / 2) return goLive()
      isFollowing = false
      video.currentTime = Math.max(seekable.start(0), wanted)
    },
    goLive,
    keepUp: (livePosition) => {
      if (!video.paused && behindSeconds(livePosition) < nearSeconds) isFollowing = true
      // At the beginning the engine chooses the place itself.
      if (!isFollowing || video.paused || video.seeking || video.readyState === 0) return
      if (behindSeconds(livePosition) > jumpAfterSeconds) goLive()
    },
  }
}
