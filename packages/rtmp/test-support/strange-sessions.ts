import { connect } from 'node:net'
import { mutate, type RandomInteger } from '../../isobmff/test-support/mutations.ts'
import { messageTypes } from '../src/wire/message.ts'
import { writeAmf0 } from '../src/amf0/write-amf0.ts'
import {
  audioChunks,
  commandChunks,
  connectChunks,
  flv,
  handshakeBytes,
  messageChunks,
  publishChunks,
  videoChunks,
} from './chunks.ts'

const before = Buffer.concat([connectChunks(), publishChunks('right-key')])
/** E-RTMP packets: an av1C with a sequence header, and a temporal unit with its delimiter. */
const av1 = {
  configuration: Buffer.from('906176303181000c000a0b000000043d06d402f80040', 'hex'),
  frame: Buffer.from('916176303112000a0b000000043d06d402f800403202a5a5', 'hex'),
}
/** Messages of an accepted publisher to its end, including video in three codecs. */
export const shortPublish = Buffer.concat([
  messageChunks(
    messageTypes.dataAmf0,
    writeAmf0('@setDataFrame', 'onMetaData', { width: 320, list: [1, 2] }),
  ),
  ...[0, 40, 80].flatMap((timestamp) => [
    videoChunks(timestamp === 0 ? flv.avcConfiguration() : flv.avcFrame('x'.repeat(300)), timestamp),
    audioChunks(flv.aacFrame(), timestamp),
    videoChunks(Buffer.from('91687663310000280000', 'hex'), timestamp),
    videoChunks(timestamp === 0 ? av1.configuration : av1.frame, timestamp),
  ]),
  commandChunks('deleteStream', 7, null, 1),
])
const whole = Buffer.concat([before, shortPublish])

const noise = (random: RandomInteger): Buffer =>
  Buffer.from(Array.from({ length: 1 + random(600) }, () => random(256)))

/** Damages either the start or the end, because a session that fails at its first byte tests nothing else. */
const strangeSession = (random: RandomInteger): Buffer => {
  switch (random(6)) {
    case 0:
      return noise(random)
    case 1:
      return mutate(Buffer.concat([handshakeBytes, whole]), whole, random).bytes
    case 2:
      return Buffer.concat([handshakeBytes, mutate(whole, shortPublish, random).bytes])
    case 3:
      return Buffer.concat([handshakeBytes, before, noise(random)])
    default:
      return Buffer.concat([handshakeBytes, before, mutate(shortPublish, whole, random).bytes])
  }
}

/** Sends malformed data to a server that accepts `right-key`, and resolves when the connection is closed. */
export const converseStrangely = async (port: number, random: RandomInteger): Promise<void> => {
  const socket = connect(port, '127.0.0.1')
  // `once` of node:events would treat a connection reset as a failure.
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.on('error', () => {})
  socket.resume()
  const bytes = strangeSession(random)
  // Some publishers disconnect abruptly.
  if (random(10) === 0) socket.write(bytes, () => socket.destroy())
  else socket.end(bytes)
  await closed
}
