/** For how long a video that is to play has not moved. */
export const watchStalls = (
  video: HTMLVideoElement,
  now: () => number = () => performance.now(),
): { readonly reset: () => void; readonly stalledMs: () => number } => {
  let movedAtMs = now()
  const move = (): void => {
    movedAtMs = now()
  }
  for (const event of ['timeupdate', 'play', 'playing']) video.addEventListener(event, move)
  return { reset: move, stalledMs: () => (video.paused || video.ended ? 0 : now() - movedAtMs) }
}
