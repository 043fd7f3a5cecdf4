/** Segments are loaded in less, as a rule. */
const stuckAfterMs = 2_500

export interface StallWatch {
  readonly reset: () => void
  /** For how long a video that is to play has not moved. */
  readonly stalledMs: () => number
  /** True once for each long stall: what is loading slowly must not be broken off again and again. */
  readonly isStuckAnew: () => boolean
}

export const watchStalls = (
  video: HTMLVideoElement,
  now: () => number = () => performance.now(),
): StallWatch => {
  let movedAtMs = now()
  let isTold = false
  const reset = (): void => {
    movedAtMs = now()
    isTold = false
  }
  for (const event of ['timeupdate', 'play', 'playing']) video.addEventListener(event, reset)
  const stalledMs = (): number => (video.paused || video.ended ? 0 : now() - movedAtMs)
  return {
    reset,
    stalledMs,
    isStuckAnew: () => {
      if (isTold || stalledMs() < stuckAfterMs) return false
      isTold = true
      return true
    },
  }
}
