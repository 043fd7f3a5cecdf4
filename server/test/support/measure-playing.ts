/** Not recognised as a program, unlike the name of Chromium without a window. */
export const userAgentOfViewers =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

/** Runs in the page: measures what reports must say, the milliseconds between `playing` and what ends it. */
export const measurePlaying = (): void => {
  const measured = { playedMs: 0, sinceMs: null as number | null }
  Object.assign(globalThis, { measured })
  const stop = () => {
    if (measured.sinceMs !== null) measured.playedMs += performance.now() - measured.sinceMs
    measured.sinceMs = null
  }
  document.addEventListener('playing', () => (measured.sinceMs ??= performance.now()), true)
  for (const event of ['pause', 'waiting', 'seeking', 'ended']) document.addEventListener(event, stop, true)
}

/** Runs in the page. */
export const playedSoFar = (): number =>
  (globalThis as unknown as { measured: { playedMs: number } }).measured.playedMs
