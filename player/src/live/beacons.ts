import type { Playback } from './playback.ts'

const everyMs = 10_000
/** The server rejects higher values. */
const longestLatencyMs = 24 * 3_600_000

/** `randomUUID` does not exist on pages without TLS. */
const newSession = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/** Time from the picture to the viewer; null if unknown. */
export const latencyOf = (playback: Playback | null, nowMs: number): number | null => {
  const shownAtMs = playback?.shownAtMs() ?? null
  const latencyMs = shownAtMs === null ? null : Math.round(nowMs - shownAtMs)
  return latencyMs !== null && latencyMs >= 0 && latencyMs <= longestLatencyMs ? latencyMs : null
}

/**
 * Reports the playback latency to the server at intervals. The reports contain no viewer data and no
 * identifier that outlives the page.
 */
export const startBeacons = (options: {
  readonly video: HTMLVideoElement
  readonly url: () => string
  /** Time of the server clock. */
  readonly now: () => number
  readonly playback: () => Playback | null
}): void => {
  const { video, url, now, playback } = options
  const Session = newSession()
  const send = (): void => {
    const playing = playback()
    if (playing === null || video.paused || video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return
    navigator.sendBeacon(url(), JSON.stringify({ Session, LatencyMs: latencyOf(playing, now()) }))
  }
  setInterval(send, everyMs)
  // The first report is early, so that viewers who leave within ten seconds count.
  video.addEventListener('playing', () => setTimeout(send, 2_000), { once: true })
  self.addEventListener('pagehide', send)
}
