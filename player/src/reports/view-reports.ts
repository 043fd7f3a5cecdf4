// A separate file of the build, which pages load on play.
import { aboutView } from './about-view.ts'
import { pictureScale } from './picture-scale.ts'
import { reportLine, type PlayerState } from './report-line.ts'

const everyMs = 30_000
/** The server counts a view after two seconds. */
const firstMs = 2_500
const mostLines = 30

export interface ViewReportsOptions {
  readonly video: HTMLVideoElement
  /** Address of the reports under the current link. */
  readonly url: () => string
  /** Time of the request to play. */
  readonly requestedAtMs: number
  /** Latency of a live stream; null for a file, or when unknown. */
  readonly latencyMs: () => number | null
  /** Bits per second of the rendition that plays; null when unknown. */
  readonly bitRate: () => number | null
  /** Video codec of the rendition that plays, as in playlists; null when unknown. */
  readonly codec: () => string | null
}

export interface ViewReports {
  /** Playback has failed for good; `code` names the cause. */
  readonly fail: (code: string) => void
}

/** `randomUUID` does not exist on pages without TLS. */
const newSession = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/**
 * Reports a view to the server in CMCD version 2 (docs/analytics.md): each change of state, and every 30 seconds. The reports
 * contain no identifier that outlives the page.
 */
export const reportView = ({
  video,
  url,
  requestedAtMs,
  latencyMs,
  bitRate,
  codec,
}: ViewReportsOptions): ViewReports => {
  const about = aboutView(location.search, document.referrer, self !== top)
  let session = newSession()
  let sequence = 0
  let lines: string[] = []
  let state: PlayerState = video.paused ? 'd' : 's'
  let hasStarted = false
  /** Chromium hides a page right after `pagehide`. A report of that could begin another view on the server. */
  let hasLeft = false
  /** Position of the last picture, because a seek sets `currentTime` before its event. */
  let position = video.currentTime

  const add = (event: 'ps' | 't' | 'e' | 'bc', atMs = Date.now(), errorCode: string | null = null): void => {
    if (hasLeft) return
    const latency = latencyMs()
    lines.push(
      reportLine({
        ...{ event, session, state, errorCode, sequence: sequence++, atMs },
        playheadMs: latency === null ? position * 1_000 : null,
        latencyMs: latency,
        bitRate: bitRate(),
        codec: codec(),
        heightPixels: Math.min(video.videoWidth, video.videoHeight),
        scalePercent: pictureScale(video),
      }),
    )
    if (lines.length >= mostLines) send()
  }
  const send = (): void => {
    if (lines.length > 0) navigator.sendBeacon(url() + about, lines.join('\n'))
    lines = []
  }
  const enter = (next: PlayerState): void => {
    if (next === state || state === 'f') return
    if (next !== 'k') position = video.currentTime
    state = next
    add('ps')
  }

  video.addEventListener('timeupdate', () => {
    if (!video.seeking) position = video.currentTime
  })
  video.addEventListener('play', () => {
    if (!hasStarted) enter('s')
  })
  video.addEventListener('playing', () => {
    if (video.seeking) return
    enter('p')
    if (!hasStarted) setTimeout(send, firstMs)
    hasStarted = true
  })
  video.addEventListener('waiting', () => {
    if (hasStarted) enter(video.seeking ? 'k' : 'r')
  })
  video.addEventListener('pause', () => enter(video.ended ? 'e' : 'a'))
  video.addEventListener('ended', () => enter('e'))
  video.addEventListener('seeking', () => {
    if (hasStarted) enter('k')
  })
  video.addEventListener('seeked', () => {
    position = video.currentTime
    if (hasStarted && video.paused) enter('a')
    else if (hasStarted && video.readyState >= HTMLMediaElement.HAVE_FUTURE_DATA) enter('p')
  })

  // Another rendition, or another size of the picture.
  video.addEventListener('resize', () => {
    if (hasStarted && state !== 'f') add('bc')
  })
  document.addEventListener('fullscreenchange', () => {
    if (hasStarted && state !== 'f') add('t')
  })

  add('ps', requestedAtMs)
  // Until then the connection is busy with the first segments. A viewer who leaves earlier is reported on `pagehide`.
  setTimeout(send, firstMs)
  setInterval(() => {
    // A page that was never played says so once.
    if (state === 'd') return
    add('t')
    send()
  }, everyMs)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'hidden') return
    add('t')
    send()
  })
  self.addEventListener('pagehide', () => {
    const before = state
    enter('q')
    send()
    state = before
    hasLeft = true
  })
  self.addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return
    hasLeft = false
    session = newSession()
    sequence = 0
    add('ps')
  })
  return {
    fail: (code) => {
      if (state === 'f') return
      state = 'f'
      add('e', Date.now(), code)
      send()
      // The viewer may try again.
      state = 'd'
      hasStarted = false
    },
  }
}
