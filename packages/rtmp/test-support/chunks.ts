import { writeAmf0 } from '../src/amf0/write-amf0.ts'
import type { Amf0Value } from '../src/amf0/amf0-value.ts'
import { messageTypes } from '../src/wire/message.ts'

interface ChunkFields {
  readonly format: 0 | 1 | 2 | 3
  readonly id: number
  readonly timestamp?: number
  readonly extended?: number
  readonly length?: number
  readonly type?: number
  readonly streamId?: number
  readonly payload: Buffer
}

/** Builds one chunk with exactly these fields, valid or not. */
export const chunk = ({ format, id, payload, extended, ...fields }: ChunkFields): Buffer => {
  const header = Buffer.alloc([11, 7, 3, 0][format]!)
  if (format <= 2) header.writeUIntBE(fields.timestamp ?? (extended === undefined ? 0 : 0xff_ffff), 0, 3)
  if (format <= 1) {
    header.writeUIntBE(fields.length ?? payload.length, 3, 3)
    header.writeUInt8(fields.type ?? messageTypes.audio, 6)
  }
  if (format === 0) header.writeUInt32LE(fields.streamId ?? 1, 7)
  const extension = Buffer.alloc(extended === undefined ? 0 : 4)
  if (extended !== undefined) extension.writeUInt32BE(extended)
  return Buffer.concat([basicHeader(format, id), header, extension, payload])
}

const basicHeader = (format: number, id: number): Buffer => {
  const top = format << 6
  if (id < 64) return Buffer.of(top | id)
  return id < 320 ? Buffer.of(top, id - 64) : Buffer.of(top | 1, (id - 64) & 0xff, (id - 64) >> 8)
}

interface MessageFields {
  readonly id?: number
  readonly timestamp?: number
  readonly streamId?: number
  readonly chunkBytes?: number
}

export const messageChunks = (type: number, payload: Buffer, fields: MessageFields = {}): Buffer => {
  const { id = 4, timestamp = 0, streamId = 1, chunkBytes = 128 } = fields
  const time = timestamp < 0xff_ffff ? { timestamp } : { extended: timestamp }
  const repeated = timestamp < 0xff_ffff ? {} : { extended: timestamp }
  const pieces = [
    chunk({
      format: 0,
      id,
      type,
      streamId,
      length: payload.length,
      ...time,
      payload: payload.subarray(0, chunkBytes),
    }),
  ]
  for (let at = chunkBytes; at < payload.length; at += chunkBytes)
    pieces.push(chunk({ format: 3, id, ...repeated, payload: payload.subarray(at, at + chunkBytes) }))
  return Buffer.concat(pieces)
}

export const commandChunks = (name: string, ...values: Amf0Value[]): Buffer =>
  messageChunks(messageTypes.commandAmf0, writeAmf0(name, ...values), { id: 3 })

export const connectChunks = (app = 'live') =>
  commandChunks('connect', 1, { app, flashVer: 'test', tcUrl: `rtmp://localhost/${app}` })

export const publishChunks = (streamKey: string) =>
  Buffer.concat([
    commandChunks('releaseStream', 2, null, streamKey),
    commandChunks('FCPublish', 3, null, streamKey),
    commandChunks('createStream', 4, null),
    commandChunks('publish', 5, null, streamKey, 'live'),
  ])

export const handshakeBytes = Buffer.concat([Buffer.of(3), Buffer.alloc(2 * 1_536)])

export const flv = {
  avcConfiguration: (data = 'avcC') => Buffer.concat([Buffer.of(0x17, 0, 0, 0, 0), Buffer.from(data)]),
  avcFrame: (data = 'frame', isKeyFrame = true) =>
    Buffer.concat([Buffer.of(isKeyFrame ? 0x17 : 0x27, 1, 0, 0, 0), Buffer.from(data)]),
  aacConfiguration: (data = 'asc') => Buffer.concat([Buffer.of(0xaf, 0), Buffer.from(data)]),
  aacFrame: (data = 'sound') => Buffer.concat([Buffer.of(0xaf, 1), Buffer.from(data)]),
}

export const videoChunks = (payload: Buffer, timestamp: number) =>
  messageChunks(messageTypes.video, payload, { id: 6, timestamp })

export const audioChunks = (payload: Buffer, timestamp: number) =>
  messageChunks(messageTypes.audio, payload, { id: 4, timestamp })
