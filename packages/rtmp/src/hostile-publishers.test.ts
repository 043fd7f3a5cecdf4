import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { mutate, seededRandom, type RandomInteger } from '../../isobmff/test-support/mutations.ts'
import {
  audioChunks,
  commandChunks,
  connectChunks,
  flv,
  handshakeBytes,
  messageChunks,
  publishChunks,
  videoChunks,
} from '../test-support/chunks.ts'
import { connectPublisher } from '../test-support/test-publisher.ts'
import { startTestServer } from '../test-support/test-server.ts'
import { messageTypes } from './message.ts'
import { writeAmf0 } from './write-amf0.ts'

const before = Buffer.concat([connectChunks(), publishChunks('right-key')])
const media = Buffer.concat([
  messageChunks(
    messageTypes.dataAmf0,
    writeAmf0('@setDataFrame', 'onMetaData', { width: 320, list: [1, 2] }),
  ),
  ...[0, 40, 80].flatMap((timestamp) => [
    videoChunks(timestamp === 0 ? flv.avcConfiguration() : flv.avcFrame('x'.repeat(300)), timestamp),
    audioChunks(flv.aacFrame(), timestamp),
    videoChunks(Buffer.from('91687663310000280000', 'hex'), timestamp),
  ]),
  commandChunks('deleteStream', 7, null, 1),
])
const whole = Buffer.concat([before, media])

const noise = (random: RandomInteger): Buffer =>
  Buffer.from(Array.from({ length: 1 + random(600) }, () => random(256)))

/** Damage comes early or late: a session that broke at its first byte tests nothing behind it. */
const strangeSession = (random: RandomInteger): Buffer => {
  switch (random(6)) {
    case 0:
      return noise(random)
    case 1:
      return mutate(Buffer.concat([handshakeBytes, whole]), whole, random).bytes
    case 2:
      return Buffer.concat([handshakeBytes, mutate(whole, media, random).bytes])
    case 3:
      return Buffer.concat([handshakeBytes, before, noise(random)])
    default:
      return Buffer.concat([handshakeBytes, before, mutate(media, whole, random).bytes])
  }
}

const sessions = 1_000
const atOnce = 25

test('a thousand strange sessions end, each with a reason, and a real one is taken after them', async () => {
  const server = await startTestServer()
  const random = seededRandom(6)
  const converse = async () => {
    const socket = connect(server.port, '127.0.0.1')
    // Not `once` of node:events, which takes the reset that garbage may earn for a failure.
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.on('error', () => {})
    socket.resume()
    const bytes = strangeSession(random)
    // Some leave without a word.
    if (random(10) === 0) socket.write(bytes, () => socket.destroy())
    else socket.end(bytes)
    await closed
  }
  const counts = new Map<string, number>()
  for (let done = 0; done < sessions; done += atOnce) {
    await Promise.all(Array.from({ length: atOnce }, converse))
    for (let index = 0; index < atOnce; index++) {
      const { code } = await server.nextEnd()
      counts.set(code, (counts.get(code) ?? 0) + 1)
    }
  }
  expect(server.rtmp.connectionCount()).toBe(0)
  expect(server.errors).toEqual([])
  // Many got as far as publishing, and broke there.
  expect(server.published.length).toBeGreaterThan(sessions / 3)
  await Promise.all(server.published.map(({ session }) => session.ended))
  expect([...counts.keys()].sort()).toEqual(
    expect.arrayContaining(['left', 'malformed', 'refused', 'too_large', 'unsupported']),
  )
  expect(counts.has('server_failed')).toBe(false)

  const publisher = await connectPublisher(server.port)
  await publisher.connect()
  expect(await publisher.publish('right-key')).toMatchObject({ code: 'NetStream.Publish.Start' })
  publisher.send(media)
  await publisher.status()
  publisher.socket.end()
  expect(await server.nextEnd()).toMatchObject({ code: 'left' })
  const types = server.published.at(-1)!.messages.map(({ type }) => type)
  expect(types.filter((type) => type === 'video-frame')).toHaveLength(5)
})
