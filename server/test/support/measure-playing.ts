/** Not recognised as a program, unlike the name of Chromium without a window. */
export const userAgentOfViewers =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

/** What reports must say, as events of the video tell it. */
export interface Measured {
  /** Between `playing` and what ends it. */
  readonly playedMs: number
  /** Between `waiting` after the start, but not after a seek, and `playing`. */
  readonly rebufferMs: number
  readonly rebuffers: number
}

/** Runs in the page. */
export const measurePlaying = (): void => {
  const measured = { playedMs: 0, rebufferMs: 0, rebuffers: 0 }
  let playingSinceMs: number | null = null
  let waitingSinceMs: number | null = null
  const stop = () => {
    if (playingSinceMs !== null) measured.playedMs += performance.now() - playingSinceMs
    playingSinceMs = null
  }
  const wait = () => {
    if (playingSinceMs !== null) {
      waitingSinceMs = performance.now()
      measured.rebuffers += 1
    }
    stop()
  }
  const play = () => {
    playingSinceMs ??= performance.now()
    if (waitingSinceMs !== null) measured.rebufferMs += performance.now() - waitingSinceMs
    waitingSinceMs = null
  }
  Object.assign(globalThis, { measured, isWaiting: () => waitingSinceMs !== null })
  document.addEventListener('playing', play, true)
  document.addEventListener('waiting', wait, true)
  for (const event of ['pause', 'seeking', 'ended']) document.addEventListener(event, stop, true)
}

/** Runs in the page. */
export const measuredSoFar = (): Measured => (globalThis as unknown as { measured: Measured }).measured

/** Runs in the page: whether the video waits for data in the middle. */
export const isWaiting = (): boolean => (globalThis as unknown as { isWaiting: () => boolean }).isWaiting()
