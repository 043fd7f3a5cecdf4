import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { publishTo, type AudioFrame, type MediaMessage, type VideoFrame } from '@zoetrope/rtmp'
import { cannedStream } from '../../src/live/node/outputs/recording/test-support/canned-stream.ts'

export interface Film {
  readonly lengthMs: number
  readonly configurations: readonly MediaMessage[]
  /** Sorted by timestamp. */
  readonly frames: readonly (VideoFrame | AudioFrame)[]
}

export interface Ingest {
  readonly host: string
  readonly port: number
}

export interface FilmPublisher {
  /** When the publisher was last accepted, by `performance.now`. Null while it does not send. */
  readonly sendingSinceMs: () => number | null
  readonly takenCount: () => number
  readonly refusals: readonly string[]
  /** Breaks the connection without closing the stream and reconnects after this time. */
  readonly breakOff: (awayMs: number) => void
  /** Ends the broadcast, like an encoder whose user presses Stop, and starts the next after this time. */
  readonly unpublish: (awayMs: number) => void
  readonly stop: () => Promise<void>
}

/** This duration contains whole numbers of video and audio frames, so the loop has no audible seam. */
const turnSeconds = 8

export const makeFilm = async (): Promise<Film> => {
  const { video, audio } = await cannedStream({ seconds: turnSeconds })
  const lengthMs = turnSeconds * 1_000
  const frames = [
    ...video.units.map(({ decodeMs, compositionMs, isKeyFrame, data }): VideoFrame => ({
      type: 'video-frame',
      codec: 'avc1',
      timestampMs: decodeMs,
      compositionTimeMs: compositionMs,
      isKeyFrame,
      data,
    })),
    ...audio.units.map(({ timestampMs, data }): AudioFrame => ({
      type: 'audio-frame',
      codec: 'mp4a',
      timestampMs,
      data,
    })),
  ]
  return {
    lengthMs,
    configurations: [
      { type: 'video-configuration', codec: 'avc1', data: video.configuration },
      { type: 'audio-configuration', codec: 'mp4a', data: audio.configuration },
    ],
    frames: frames
      .filter(({ timestampMs }) => timestampMs < lengthMs)
      .toSorted((one, other) => one.timestampMs - other.timestampMs),
  }
}

const sendEveryMs = 20
/** Same interval as encoders that reconnect by themselves. */
const retryMs = 1_000

/**
 * Publishes the film in real time until it is stopped, to the nodes in turn, as behind a load balancer.
 * Timestamps start at 0 for each broadcast.
 */
export const startPublisher = (
  ingests: readonly [Ingest, ...Ingest[]],
  streamName: string,
  film: Film,
): FilmPublisher => {
  const refusals: string[] = []
  const stopping = new AbortController()
  let socket: Socket | null = null
  let close: (() => void) | null = null
  let sinceMs: number | null = null
  let takenCount = 0
  let awayMs = retryMs
  let tryCount = 0

  const publishOnce = async (): Promise<void> => {
    const { host, port } = ingests[tryCount++ % ingests.length] ?? ingests[0]
    const connected = connect(port, host)
    socket = connected
    await once(connected, 'connect')
    const address = { app: 'live', streamName, tcUrl: `rtmp://${host}:${port}/live` }
    const push = await publishTo(connected, address, { startMs: 10_000 })
    close = push.close
    if (stopping.signal.aborted) push.close()
    for (const message of film.configurations) push.send(message)
    const startedMs = performance.now()
    let sent = 0
    const timer = setInterval(() => {
      for (;;) {
        const turnMs = Math.floor(sent / film.frames.length) * film.lengthMs
        const frame = film.frames[sent % film.frames.length]!
        const timestampMs = frame.timestampMs + turnMs
        if (timestampMs > performance.now() - startedMs) return
        push.send({ ...frame, timestampMs })
        sent += 1
      }
    }, sendEveryMs)
    sinceMs = startedMs
    takenCount += 1
    await push.ended
    clearInterval(timer)
  }

  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await publishOnce().catch((error: unknown) => refusals.push((error as Error).message))
      sinceMs = null
      close = null
      await delay(awayMs, null, { signal: stopping.signal }).catch(() => {})
      awayMs = retryMs
    }
  }
  const running = run()

  return {
    sendingSinceMs: () => sinceMs,
    takenCount: () => takenCount,
    refusals,
    breakOff: (ms) => {
      awayMs = ms
      socket?.destroy()
    },
    unpublish: (ms) => {
      awayMs = ms
      close?.()
    },
    stop: () => {
      stopping.abort()
      close?.()
      return running
    },
  }
}
