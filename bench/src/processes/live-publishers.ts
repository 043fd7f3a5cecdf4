import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import { createRtmpServer, publishTo, type MediaMessage, type RtmpPush } from '@zoetrope/rtmp'
import { sharedClockMs } from '../content/shared-clock.ts'
import { readOptions, report } from './child-side.ts'

export interface LivePublishersOptions {
  /** FLV of this duration, published in a loop. */
  readonly mediaPath: string
  readonly mediaSeconds: number
  readonly port: number
  readonly streamNames: readonly string[]
  /** Time over which the publishers join, one after the other. */
  readonly comingSeconds: number
}

/** Time of the first byte sent by each publisher, by the shared clock, in the order of the names. */
export interface PublishersStarted {
  readonly startedAtMs: readonly number[]
}

const { mediaPath, mediaSeconds, port, streamNames, comingSeconds } = readOptions() as LivePublishersOptions
const mediaMs = mediaSeconds * 1_000
const startMs = 10_000
const tickMs = 10

type Frame = Extract<MediaMessage, { readonly type: 'video-frame' | 'audio-frame' }>

const isFrame = (message: MediaMessage): message is Frame =>
  message.type === 'video-frame' || message.type === 'audio-frame'

/** Reads the media by publishing it with ffmpeg to an RTMP server of ours at full speed. */
const readMedia = async (): Promise<{ configurations: MediaMessage[]; frames: Frame[] }> => {
  const messages: MediaMessage[] = []
  const isRead = Promise.withResolvers<void>()
  const rtmp = createRtmpServer({
    authorize: async () => ({ accept: true }),
    onPublish: async (session) => {
      for await (const message of session.messages) messages.push(message)
      isRead.resolve()
    },
    onError: isRead.reject,
  })
  const listener = createServer((socket) => void rtmp.handleSocket(socket)).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const url = `rtmp://127.0.0.1:${(listener.address() as AddressInfo).port}/live/media`
  const args = ['-nostdin', '-v', 'error', '-i', mediaPath, '-c', 'copy', '-f', 'flv', url]
  spawn('ffmpeg', args, { stdio: ['ignore', 'inherit', 'inherit'] })
  await isRead.promise
  listener.close()
  return {
    configurations: messages.filter(({ type }) => type.endsWith('-configuration')),
    frames: messages.filter(isFrame).filter(({ timestampMs }) => timestampMs < mediaMs),
  }
}

const { configurations, frames } = await readMedia()

/** Sends each frame at its time until this process ends. */
const publish = async (streamName: string): Promise<number> => {
  const startedAtMs = sharedClockMs()
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  const address = { app: 'live', streamName, tcUrl: `rtmp://127.0.0.1:${port}/live` }
  const push: RtmpPush = await publishTo(socket, address, { startMs })
  void push.ended.then((reason) => {
    throw new Error(`A publish ended: ${reason}`)
  })
  for (const configuration of configurations) push.send(configuration)
  const firstMs = performance.now()
  let index = 0
  let roundMs = 0
  setInterval(() => {
    const dueMs = performance.now() - firstMs
    for (;;) {
      const frame = frames[index]
      if (frame === undefined) {
        index = 0
        roundMs += mediaMs
        continue
      }
      const timestampMs = frame.timestampMs + roundMs
      if (timestampMs > dueMs) return
      push.send({ ...frame, timestampMs })
      index += 1
    }
  }, tickMs)
  return startedAtMs
}

report({})
const startedAtMs = await Promise.all(
  streamNames.map(async (name, index) => {
    await new Promise((resolve) => setTimeout(resolve, (index / streamNames.length) * comingSeconds * 1_000))
    return publish(name)
  }),
)
report({ startedAtMs } satisfies PublishersStarted)
