import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { publishTo, type AudioFrame, type MediaMessage, type VideoFrame } from '@zoetrope/rtmp'
import { cannedStream } from '../../src/broadcast/recording/test-support/canned-stream.ts'

/** What is sent over and over. */
export interface Film {
  readonly lengthMs: number
  readonly configurations: readonly MediaMessage[]
  /** By their time. */
  readonly frames: readonly (VideoFrame | AudioFrame)[]
}

export interface FilmPublisher {
  /** When it was last taken, by `performance.now`; null while it does not send. */
  readonly sendingSinceMs: () => number | null
  /** How often it was taken. */
  readonly takenCount: () => number
  /** What it was told when it was not taken. */
  readonly refusals: readonly string[]
  /** The connection breaks without a word; it is back after so long. */
  readonly breakOff: (awayMs: number) => void
  /** Ends the broadcast, as an encoder does whose owner presses stop; it begins the next one after so long. */
  readonly unpublish: (awayMs: number) => void
  /** Ends the broadcast and stays away. */
  readonly stop: () => Promise<void>
}

/** So many seconds are whole numbers of pictures and of frames of sound, so that no turn is heard. */
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
/** As encoders that connect again by themselves. */
const retryMs = 1_000

/** Publishes the film in real time to an address of this machine, until it is stopped. Each time its stamps begin at 0. */
export const startPublisher = (port: number, streamName: string, film: Film): FilmPublisher => {
  const refusals: string[] = []
  const stopping = new AbortController()
  let socket: Socket | null = null
  let close: (() => void) | null = null
  let sinceMs: number | null = null
  let takenCount = 0
  let awayMs = retryMs

  const publishOnce = async (): Promise<void> => {
    const connected = connect(port, '127.0.0.1')
    socket = connected
    await once(connected, 'connect')
    const address = { app: 'live', streamName, tcUrl: `rtmp://127.0.0.1:${port}/live` }
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
