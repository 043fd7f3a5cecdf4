import { once } from 'node:events'
import { connect } from 'node:net'
import { publishTo, type MediaMessage, type RtmpPush } from '@zoetrope/rtmp'

/** Publishes AV1 by Enhanced RTMP, which ffmpeg 5.1 does not support. */
export const publishMedia = async (port: number, streamKey: string): Promise<RtmpPush> => {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const address = { app: 'live', streamName: streamKey, tcUrl: `rtmp://127.0.0.1:${port}/live` }
  return publishTo(socket, address, { startMs: 5_000 })
}

export const sendInTime = async (push: RtmpPush, messages: readonly MediaMessage[]): Promise<void> => {
  const startedAtMs = performance.now()
  for (const message of messages) {
    const dueMs = 'timestampMs' in message ? message.timestampMs : 0
    const waitMs = dueMs - (performance.now() - startedAtMs)
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
    push.send(message)
  }
}
