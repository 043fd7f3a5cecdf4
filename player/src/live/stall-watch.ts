/** Loading a segment usually takes less time. */
const stuckAfterMs = 2_500

export interface StallWatch {
  readonly reset: () => void
  /** Time for which a video that should play has not moved. */
  readonly stalledMs: () => number
  /** True once for each long stall, so that a slow load is not aborted repeatedly. */
  readonly isStuckAnew: () => boolean
}

export const watchStalls = (
  video: HTMLVideoElement,
  now: () => number = () => performance.now(),
): StallWatch => {
  let movedAtMs = now()
  let isReported = false
  const reset = (): void => {
    movedAtMs = now()
    isReported = false
  }
  for (const event of ['timeupdate', 'play', 'playing']) video.addEventListener(event, reset)
  const stalledMs = (): number => (video.paused || video.ended ? 0 : now() - movedAtMs)
  return {
    reset,
    stalledMs,
    isStuckAnew: () => {
      if (isReported || stalledMs() < stuckAfterMs) return false
      isReported = true
      return true
    },
  }
}
