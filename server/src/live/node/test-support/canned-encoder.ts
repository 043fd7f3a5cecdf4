import {
  avcConfiguration,
  aacConfiguration,
  unitsOf,
} from '../../../../../packages/ll-hls/test-support/publisher.ts'
import { audioChunks, flv, videoChunks } from '../../../../../packages/rtmp/test-support/chunks.ts'
import {
  connectPublisher,
  type TestPublisher,
} from '../../../../../packages/rtmp/test-support/test-publisher.ts'

export interface CannedEncoder {
  readonly publisher: TestPublisher
  readonly status: { readonly code: string; readonly description: string }
  /** Sends the next seconds of video and audio at once, with key frames a second apart. */
  readonly send: (seconds: number) => void
  /** Breaks the connection, as a killed program does. */
  readonly breakOff: () => void
}

const configurations = Buffer.concat([
  videoChunks(Buffer.concat([Buffer.of(0x17, 0, 0, 0, 0), avcConfiguration]), 0),
  audioChunks(Buffer.concat([Buffer.of(0xaf, 0), aacConfiguration(48_000)]), 0),
])

export const publishCanned = async (
  port: number,
  streamKey: string,
  { app = 'live' }: { readonly app?: string } = {},
): Promise<CannedEncoder> => {
  const publisher = await connectPublisher(port)
  await publisher.connect(app)
  const status = await publisher.publish(streamKey)
  let sentSeconds = 0
  return {
    publisher,
    status,
    send: (seconds) => {
      const units = unitsOf({
        seconds,
        pictureMs: (index) => index * 40,
        isKey: (index) => index % 25 === 0,
        sampleRateHz: 48_000,
        startMs: sentSeconds * 1_000,
      })
      if (sentSeconds === 0) publisher.send(configurations)
      sentSeconds += seconds
      for (const item of units) {
        if (item.kind === 'video') {
          const { decodeMs, isKeyFrame } = item.unit
          publisher.send(videoChunks(flv.avcFrame('frame', isKeyFrame), decodeMs))
        } else publisher.send(audioChunks(flv.aacFrame(), item.unit.timestampMs))
      }
    },
    breakOff: () => publisher.socket.destroy(),
  }
}
