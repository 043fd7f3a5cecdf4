import { messageTypes } from '../wire/message.ts'
import type { OutgoingMessage } from '../wire/write-message.ts'

/** User control events of RTMP 1.0, 7.1.7. */
export const userControlEvents = { streamBegin: 0, pingRequest: 6, pingResponse: 7 } as const

const control = (type: number, payload: Buffer): OutgoingMessage => ({
  chunkStreamId: 2,
  type,
  streamId: 0,
  payload,
})

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value % 2 ** 32)
  return bytes
}

export const setChunkSize = (sizeBytes: number) => control(messageTypes.setChunkSize, u32(sizeBytes))

/** Total bytes received on the connection, modulo 2³². */
export const acknowledgement = (receivedBytes: number) =>
  control(messageTypes.acknowledgement, u32(receivedBytes))

export const windowAcknowledgementSize = (sizeBytes: number) =>
  control(messageTypes.windowAcknowledgementSize, u32(sizeBytes))

/** Limit type dynamic (2), which publishers may ignore. */
export const setPeerBandwidth = (windowBytes: number) =>
  control(messageTypes.setPeerBandwidth, Buffer.concat([u32(windowBytes), Buffer.of(2)]))

const userControl = (event: number, value: number) =>
  control(messageTypes.userControl, Buffer.concat([Buffer.of(0, event), u32(value)]))

export const streamBegin = (streamId: number) => userControl(userControlEvents.streamBegin, streamId)

export const pingResponse = (timestamp: number) => userControl(userControlEvents.pingResponse, timestamp)
