import type { Page, Request } from 'playwright-core'

interface Sample {
  /** Since the start of the page. */
  readonly atMs: number
  readonly positionSeconds: number
  /** Buffered after the position. */
  readonly aheadSeconds: number
  readonly heightPixels: number
}

/** Runs of time in which the position does not move. */
interface Still {
  readonly atMs: number
  readonly forMs: number
  readonly positionSeconds: number
}

interface PlaybackTrace {
  /** From the start of the page to the first frame; null without one. */
  readonly startupMs: number | null
  /** After the first frame, without those after a seek. */
  readonly stalls: readonly Still[]
  /** From a seek until playback continues. */
  readonly seeks: readonly Still[]
  readonly samples: readonly Sample[]
  readonly hasEnded: boolean
}

/** Shorter ones are those of a busy machine. */
const shortestStallMs = 250

/** Runs in the page before its own scripts. */
const watch = (shortestMs: number): void => {
  const samples: Sample[] = []
  const stalls: Still[] = []
  const seeks: Still[] = []
  const trace = { startupMs: null as number | null, stalls, seeks, samples, hasEnded: false }
  Object.assign(globalThis, { playbackTrace: trace })
  let video: HTMLVideoElement | null = null
  let lastSeconds = 0
  let movedAtMs = 0
  let isAfterSeek = false
  const note = (nowMs: number, movedSeconds: number): void => {
    // A busy page may look late.
    const forMs = nowMs - movedAtMs - movedSeconds * 1_000
    const still = { atMs: movedAtMs, forMs, positionSeconds: lastSeconds }
    if (isAfterSeek) seeks.push(still)
    else if (forMs >= shortestMs) stalls.push(still)
    isAfterSeek = false
  }
  const take = (): void => {
    if (video === null || trace.startupMs === null) return
    const nowMs = performance.now()
    const { currentTime, buffered, videoHeight, paused, ended } = video
    if (ended || (trace.hasEnded && paused)) return
    if (currentTime !== lastSeconds && !video.seeking) {
      note(nowMs, isAfterSeek ? 0 : currentTime - lastSeconds)
      movedAtMs = nowMs
      lastSeconds = currentTime
    } else if (paused && !isAfterSeek) movedAtMs = nowMs
    if (nowMs - (samples.at(-1)?.atMs ?? -Infinity) < 500) return
    let end = currentTime
    for (let index = 0; index < buffered.length; index += 1)
      if (buffered.start(index) <= currentTime + 0.1) end = Math.max(end, buffered.end(index))
    samples.push({
      atMs: nowMs,
      positionSeconds: currentTime,
      aheadSeconds: end - currentTime,
      heightPixels: videoHeight,
    })
  }
  const begin = ({ target }: Event): void => {
    if (video !== null || !(target instanceof HTMLVideoElement)) return
    video = target
    video.requestVideoFrameCallback((nowMs) => {
      trace.startupMs = nowMs
      movedAtMs = nowMs
      lastSeconds = video?.currentTime ?? 0
    })
    setInterval(take, 50)
  }
  for (const type of ['loadstart', 'loadedmetadata', 'play']) document.addEventListener(type, begin, true)
  document.addEventListener(
    'seeking',
    () => {
      if (trace.startupMs === null || (video?.currentTime ?? 0) - lastSeconds < 1) return
      movedAtMs = performance.now()
      isAfterSeek = true
    },
    true,
  )
  document.addEventListener('ended', () => (trace.hasEnded = true), true)
}

/** Measures what the next document of the page plays. */
export const tracePlayback = async (page: Page): Promise<void> => {
  await page.addInitScript(watch, shortestStallMs)
}

/** Returns the trace up to now, without a stall that has not ended. */
export const playbackSoFar = (page: Page): Promise<PlaybackTrace> => page.evaluate('globalThis.playbackTrace')

export interface TracedRequest {
  /** Since the first request of the page. */
  readonly atMs: number
  /** Such as `12/3.m4s`, below the playout. */
  readonly name: string
  /** Null when the player gave it up. */
  readonly status: number | null
  /** Until the first byte of the response. */
  readonly waitMs: number
  readonly loadMs: number
}

/** Notes all requests of the page below `/v/`, each redirect as one of its own. */
export const traceRequests = (page: Page): readonly TracedRequest[] => {
  const traced: TracedRequest[] = []
  let firstMs: number | null = null
  const note = async (request: Request, isAbandoned: boolean): Promise<void> => {
    const [, name] = /\/v\/[^/]+\/([^?]+)/.exec(request.url()) ?? []
    const { startTime, requestStart, responseStart, responseEnd } = request.timing()
    firstMs ??= startTime
    if (name === undefined) return
    const response = isAbandoned ? null : await request.response()
    traced.push({
      atMs: startTime - firstMs,
      name,
      status: response?.status() ?? null,
      waitMs: responseStart - requestStart,
      loadMs: responseEnd - Math.max(0, responseStart),
    })
  }
  page.on('requestfinished', (request) => void note(request, false).catch(() => {}))
  page.on('requestfailed', (request) => void note(request, true).catch(() => {}))
  return traced
}
