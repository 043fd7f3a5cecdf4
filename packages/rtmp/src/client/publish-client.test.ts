import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { startTestServer } from '../../test-support/test-server.ts'
import { publishTo, type MediaMessage } from '../index.ts'

const address = { app: 'live', streamName: 'right-key', tcUrl: 'rtmp://target.example/live' }
const timeouts = { startMs: 5_000 }

const bytes = (length: number, seed: number) => Buffer.alloc(length, seed)

const video = (timestampMs: number, compositionTimeMs: number, isKeyFrame: boolean, sizeBytes: number) =>
  ({
    type: 'video-frame',
    codec: 'avc1',
    timestampMs,
    compositionTimeMs,
    isKeyFrame,
    data: bytes(sizeBytes, 7),
  }) as const

const stream: readonly MediaMessage[] = [
  { type: 'metadata', values: Object.assign(Object.create(null), { width: 320 }) },
  { type: 'video-configuration', codec: 'avc1', data: bytes(40, 1) },
  { type: 'audio-configuration', codec: 'mp4a', data: bytes(2, 2) },
  video(0, 80, true, 20_000),
  { type: 'audio-frame', codec: 'mp4a', timestampMs: 3, data: bytes(300, 3) },
  video(40, 0, false, 4_096),
  // Exceeds 24 bits of milliseconds and needs several chunks.
  video(500_000, 40, false, 9_000),
  video(1_000_000, 40, false, 1),
  video(1_500_000, -20, false, 9_000),
  { type: 'audio-frame', codec: 'mp4a', timestampMs: 1_500_010, data: bytes(300, 4) },
  { type: 'audio-configuration', codec: 'Opus', data: bytes(19, 5) },
  { type: 'audio-frame', codec: 'Opus', timestampMs: 1_500_020, data: bytes(100, 6) },
  { type: 'video-configuration', codec: 'hvc1', data: bytes(90, 8) },
  { ...video(1_500_040, 33, true, 50_000), codec: 'hvc1' },
  { type: 'video-configuration', codec: 'av01', data: bytes(17, 9) },
  { ...video(1_500_080, 0, false, 9_000), codec: 'av01' },
]

const dial = async (port: number) => {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

test('publishTo delivers messages with the same bytes and timestamps in the same order', async () => {
  const server = await startTestServer()
  const push = await publishTo(await dial(server.port), address, timeouts)
  expect(push.takes('avc1')).toBe(true)
  expect(push.takes('hvc1')).toBe(true)
  for (const message of stream) push.send(message)
  push.close()
  expect(await server.nextEnd()).toMatchObject({ code: 'left' })
  const { session, messages } = server.published[0]!
  expect(session).toMatchObject({ app: 'live', streamKey: 'right-key' })
  expect(await session.ended).toMatchObject({ code: 'unpublished' })
  expect(messages).toEqual(stream)
})

test('fractional timestamps are rounded so that the presentation time is preserved', async () => {
  const server = await startTestServer()
  const push = await publishTo(await dial(server.port), address, timeouts)
  push.send(video(33.4, 33.4, true, 5))
  push.send(video(66.7, 66.6, false, 5))
  push.close()
  await server.nextEnd()
  expect(server.published[0]!.messages).toMatchObject([
    { timestampMs: 33, compositionTimeMs: 34 },
    { timestampMs: 67, compositionTimeMs: 66 },
  ])
})

test("publishTo rejects with the server's description when it refuses", async () => {
  const server = await startTestServer()
  const push = publishTo(await dial(server.port), { ...address, streamName: 'wrong' }, timeouts)
  await expect(push).rejects.toThrow('The server refused: No stream has this key.')
})

test("a push ends with the server's reason when the server disconnects it", async () => {
  const server = await startTestServer()
  const push = await publishTo(await dial(server.port), address, timeouts)
  server.published[0]!.session.close('Enough.')
  expect(await push.ended).toBe('The server refused: Enough.')
  push.send(video(0, 0, true, 5))
})
