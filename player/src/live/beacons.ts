import type { Playback } from './playback.ts'

const everyMs = 10_000
/** The server takes no more. */
const longestLatencyMs = 24 * 3_600_000

/** Not `randomUUID`, which pages without TLS don't have. */
const newSession = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/** Tells the server now and then how far behind it plays; nothing of the viewer, and nothing that outlasts the page. */
export const startBeacons = (options: {
  readonly video: HTMLVideoElement
  readonly url: () => string
  /** By the server's clock. */
  readonly now: () => number
  readonly playback: () => Playback | null
}): void => {
  const { video, url, now, playback } = options
  const Session = newSession()
  const send = (): void => {
    const playing = playback()
    if (playing === null || video.paused || video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return
    const shownAtMs = playing.shownAtMs()
    const latencyMs = shownAtMs === null ? null : Math.round(now() - shownAtMs)
    const isSane = latencyMs !== null && latencyMs >= 0 && latencyMs <= longestLatencyMs
    navigator.sendBeacon(url(), JSON.stringify({ Session, LatencyMs: isSane ? latencyMs : null }))
  }
  setInterval(send, everyMs)
  // The first one early: who stays for less than ten seconds was there, too.
  video.addEventListener('playing', () => setTimeout(send, 2_000), { once: true })
  self.addEventListener('pagehide', send)
}
