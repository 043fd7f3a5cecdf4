import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { expect, test, vi } from 'vitest'
import {
  audioChunks,
  chunk,
  commandChunks,
  connectChunks,
  flv,
  handshakeBytes,
  messageChunks,
  publishChunks,
  videoChunks,
} from '../../test-support/chunks.ts'
import { connectPublisher } from '../../test-support/test-publisher.ts'
import { startTestServer } from '../../test-support/test-server.ts'
import { createRtmpServer, type PublishSession, type VideoFrame } from '../index.ts'
import { messageTypes } from '../wire/message.ts'
import { readAmf0 } from '../amf0/read-amf0.ts'
import { writeAmf0 } from '../amf0/write-amf0.ts'

const u32 = (value: number, bytes = 4) => {
  const buffer = Buffer.alloc(bytes)
  buffer.writeUInt32BE(value)
  return buffer
}

const ping = messageChunks(messageTypes.userControl, Buffer.concat([Buffer.of(0, 6), u32(99)]), { id: 2 })

test('a publisher with the right key is accepted, with its app, query and encoder', async () => {
  const server = await startTestServer()
  const publisher = await connectPublisher(server.port)
  await publisher.connect('live/studio/?user=me')
  expect(await publisher.publish('right-key?pass=secret')).toMatchObject({ code: 'NetStream.Publish.Start' })
  publisher.send(
    messageChunks(messageTypes.dataAmf0, writeAmf0('@setDataFrame', 'onMetaData', { width: 320 })),
    videoChunks(flv.avcConfiguration(), 0),
    audioChunks(flv.aacConfiguration(), 0),
    videoChunks(flv.avcFrame('one'), 0),
    audioChunks(flv.aacFrame(), 10),
    commandChunks('FCUnpublish', 6, null, 'right-key'),
    commandChunks('deleteStream', 7, null, 1),
  )
  expect(await publisher.status()).toMatchObject({ code: 'NetStream.Unpublish.Success' })
  publisher.socket.end()

  expect(await server.nextEnd()).toMatchObject({ code: 'left' })
  const [{ session, messages }] = server.published as [(typeof server.published)[0]]
  expect(await session.ended).toMatchObject({ code: 'unpublished' })
  expect(session).toMatchObject({ app: 'live/studio', streamKey: 'right-key', encoder: 'test' })
  expect(Object.fromEntries(session.query)).toEqual({ user: 'me', pass: 'secret' })
  expect(messages.map(({ type }) => type)).toEqual([
    'metadata',
    'video-configuration',
    'audio-configuration',
    'video-frame',
    'audio-frame',
  ])
  expect(session.configurations()).toMatchObject({ video: { codec: 'avc1' }, audio: { codec: 'mp4a' } })
})

test('a wrong key is refused with a reason before the publish is accepted', async () => {
  const server = await startTestServer()
  const publisher = await connectPublisher(server.port)
  await publisher.connect()
  expect(await publisher.publish('wrong-key')).toMatchObject({
    code: 'NetStream.Publish.Denied',
    description: 'No stream has this key.',
  })
  publisher.send(videoChunks(flv.avcFrame(), 0))
  await expect(publisher.next(messageTypes.commandAmf0)).rejects.toThrow('closed')
  expect(await server.nextEnd()).toEqual({ code: 'refused', message: 'No stream has this key.' })
  expect(server.published).toEqual([])
})

test('one connection publishes several streams in turn, but never two at a time', async () => {
  const server = await startTestServer()
  const publisher = await connectPublisher(server.port)
  await publisher.connect()
  for (const round of ['first', 'second']) {
    expect(await publisher.publish('right-key')).toMatchObject({ code: 'NetStream.Publish.Start' })
    expect(await publisher.publish('right-key')).toMatchObject({ code: 'NetStream.Publish.BadName' })
    publisher.send(videoChunks(flv.avcFrame(round), 5), commandChunks('deleteStream', 7, null, 1))
    await publisher.status()
  }
  publisher.socket.end()
  await server.nextEnd()
  const frames = server.published.map(({ messages }) =>
    (messages as VideoFrame[]).map(({ data }) => data.toString()),
  )
  expect(frames).toEqual([['first'], ['second']])
})

test('a clock that starts above 0xFFFFFF and wraps around is read correctly', async () => {
  const server = await startTestServer()
  const publisher = await connectPublisher(server.port)
  await publisher.connect()
  await publisher.publish('right-key')
  const long = flv.avcFrame('x'.repeat(400))
  publisher.send(videoChunks(long, 0xffff_fff0), videoChunks(long, 0x10), audioChunks(flv.aacFrame(), 0x12))
  publisher.socket.end()
  await server.nextEnd()
  const times = server.published[0]!.messages.map((message) => (message as VideoFrame).timestampMs)
  expect(times).toEqual([0xffff_fff0, 0x1_0000_0010, 0x1_0000_0012])
})

test('complete messages sent before the connection broke are delivered', async () => {
  const server = await startTestServer()
  const publisher = await connectPublisher(server.port)
  await publisher.connect()
  await publisher.publish('right-key')
  publisher.send(
    videoChunks(flv.avcFrame('whole'), 0),
    videoChunks(flv.avcFrame('x'.repeat(300)), 40).subarray(0, 200),
  )
  await vi.waitFor(() => expect(server.published[0]!.messages).toHaveLength(1))
  publisher.socket.resetAndDestroy()
  expect(await server.published[0]!.session.ended).toMatchObject({ code: 'lost' })
  expect(await server.nextEnd()).toMatchObject({ code: 'lost' })
  expect(server.published[0]!.messages).toHaveLength(1)
})

test('commands in AMF3 messages are accepted', async () => {
  const server = await startTestServer()
  const publisher = await connectPublisher(server.port)
  const dressed = Buffer.concat([Buffer.of(0), writeAmf0('connect', 1, { app: 'live', objectEncoding: 3 })])
  publisher.send(handshakeBytes, messageChunks(messageTypes.commandAmf3, dressed, { id: 3, streamId: 0 }))
  expect(await publisher.answer('_result')).toMatchObject([
    {},
    { code: 'NetConnection.Connect.Success', objectEncoding: 0 },
  ])
  publisher.socket.destroy()
})

test("the server answers pings and acknowledges bytes by the publisher's window", async () => {
  const server = await startTestServer()
  const publisher = await connectPublisher(server.port)
  await publisher.connect()
  publisher.send(ping)
  const pong = await publisher.next(messageTypes.userControl)
  expect(pong.payload).toEqual(Buffer.concat([Buffer.of(0, 7), u32(99)]))
  publisher.send(messageChunks(messageTypes.windowAcknowledgementSize, u32(1_000), { id: 2 }))
  publisher.send(messageChunks(messageTypes.audio, Buffer.alloc(2_000)))
  const received = (await publisher.next(messageTypes.acknowledgement)).payload.readUInt32BE()
  expect(received).toBeGreaterThan(3_073)
  publisher.socket.destroy()
})

test.each([
  ['play', commandChunks('play', 6, null, 'right-key'), 'refused'],
  ['a publish without a key', commandChunks('publish', 6, null, '?x=y', 'live'), 'refused'],
  [
    'a long message before the key',
    chunk({ format: 0, id: 5, length: 70_000, payload: Buffer.alloc(128) }),
    'too_large',
  ],
])('%s is refused with a status', async (_, bytes, code) => {
  const server = await startTestServer()
  const publisher = await connectPublisher(server.port)
  await publisher.connect()
  publisher.send(bytes)
  expect((await publisher.status()).code).toMatch(/^NetStream\.Publish\.(Denied|Rejected)$/)
  expect(await server.nextEnd()).toMatchObject({ code })
})

test.each([
  ['another protocol', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
  ['a publish before connect', Buffer.concat([handshakeBytes, publishChunks('right-key')])],
  ['connect twice', Buffer.concat([handshakeBytes, connectChunks(), connectChunks()])],
  ['connect without properties', Buffer.concat([handshakeBytes, commandChunks('connect', 1, 'live')])],
  ['a command without a name', Buffer.concat([handshakeBytes, messageChunks(20, writeAmf0(1, 2))])],
  ['a chunk size of zero', Buffer.concat([handshakeBytes, messageChunks(messageTypes.setChunkSize, u32(0))])],
  ['a control message that is cut short', Buffer.concat([handshakeBytes, messageChunks(2, Buffer.of(1))])],
])('%s ends the connection as malformed', async (_, bytes) => {
  const server = await startTestServer()
  const publisher = await connectPublisher(server.port)
  publisher.send(bytes)
  expect(await server.nextEnd()).toMatchObject({ code: 'malformed' })
})

test('an unsupported codec ends the publish with a reason', async () => {
  const server = await startTestServer()
  const publisher = await connectPublisher(server.port)
  await publisher.connect()
  await publisher.publish('right-key')
  publisher.send(videoChunks(Buffer.of(0x12, 0, 0), 0))
  expect(await publisher.status()).toMatchObject({ code: 'NetStream.Publish.Rejected' })
  const reason = { code: 'unsupported', message: expect.stringContaining('codec 2') as string }
  expect(await server.published[0]!.session.ended).toEqual(reason)
  expect(await server.nextEnd()).toEqual(reason)
})

test('a publisher gets the reason when the session is closed', async () => {
  const server = await startTestServer()
  const publisher = await connectPublisher(server.port)
  await publisher.connect()
  await publisher.publish('right-key')
  server.published[0]!.session.close('The stream key was changed.')
  expect(await publisher.status()).toMatchObject({ description: 'The stream key was changed.' })
  expect(await server.nextEnd()).toEqual({ code: 'closed', message: 'The stream key was changed.' })
})

test.each(['authorize', 'onPublish'] as const)(
  'an error thrown by %s is reported and ends only its connection',
  async (name) => {
    const broken = () => Promise.reject(new Error('no database'))
    const server = await startTestServer({ [name]: broken })
    const publisher = await connectPublisher(server.port)
    await publisher.connect()
    await publisher.publish('right-key')
    expect(await server.nextEnd()).toMatchObject({ code: 'server_failed' })
    expect(server.errors).toEqual([new Error('no database')])
  },
)

test('a pending authorization is aborted when the server closes', async () => {
  const asked = Promise.withResolvers<AbortSignal>()
  const server = await startTestServer({
    timeouts: { finalStatusMs: 10 },
    authorize: ({ signal }) => {
      asked.resolve(signal)
      return new Promise(() => {})
    },
  })
  const publisher = await connectPublisher(server.port)
  await publisher.connect()
  publisher.send(publishChunks('right-key'))
  const signal = await asked.promise
  await server.rtmp.close('The server stops.')
  expect(signal.aborted).toBe(true)
  expect(await server.nextEnd()).toMatchObject({ code: 'closed' })
  expect(server.rtmp.connectionCount()).toBe(0)
})

/** Manually triggered timers. Only active timers are listed. */
const createTimers = () => {
  const standing = new Map<number, { afterMs: number; run: () => void }>()
  let last = 0
  return {
    startTimer: (afterMs: number, run: () => void) => {
      const id = ++last
      standing.set(id, { afterMs, run })
      return () => standing.delete(id)
    },
    waiting: () => [...standing.values()].map(({ afterMs }) => afterMs),
    runAll: () => standing.forEach(({ run }) => run()),
  }
}

const timeouts = { handshakeMs: 1, publishMs: 2, idleMs: 3, finalStatusMs: 4 }

test('handshake, publish, frames and the final status message have separate timeouts', async () => {
  const timers = createTimers()
  const server = await startTestServer({ startTimer: timers.startTimer, timeouts })
  const silent = await connectPublisher(server.port)
  await vi.waitFor(() => expect(timers.waiting()).toEqual([1]))
  timers.runAll()
  expect(await server.nextEnd()).toMatchObject({
    code: 'timed_out',
    message: expect.stringContaining('handshake'),
  })
  silent.socket.destroy()

  const idle = await connectPublisher(server.port)
  await idle.connect()
  expect(timers.waiting()).toEqual([2])
  await idle.publish('right-key')
  expect(timers.waiting()).toEqual([3])
  timers.runAll()
  expect(await server.nextEnd()).toMatchObject({
    code: 'timed_out',
    message: expect.stringContaining('media'),
  })
  expect(await server.published[0]!.session.ended).toMatchObject({ code: 'timed_out' })

  const deaf = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true })
  deaf.on('error', () => {})
  deaf.write(Buffer.concat([handshakeBytes, connectChunks(), publishChunks('wrong-key')]))
  await vi.waitFor(() => expect(timers.waiting()).toEqual([4]))
  timers.runAll()
  expect(await server.nextEnd()).toMatchObject({ code: 'refused' })
  expect(timers.waiting()).toEqual([])
  deaf.destroy()
})

test('a slow consumer pauses the publisher without an idle timeout or data loss', async () => {
  const timers = createTimers()
  const begun = Promise.withResolvers<PublishSession>()
  const done = Promise.withResolvers<void>()
  const server = await startTestServer({
    startTimer: timers.startTimer,
    timeouts,
    limits: { queuedBytes: 100_000 },
    onPublish: (session) => {
      begun.resolve(session)
      return done.promise
    },
  })
  const publisher = await connectPublisher(server.port)
  await publisher.connect()
  await publisher.publish('right-key')
  const session = await begun.promise
  const frameBytes = Buffer.alloc(20_000)
  const frames = 500
  publisher.send(messageChunks(messageTypes.setChunkSize, u32(65_536), { id: 2 }))
  for (let index = 0; index < frames; index++) {
    const body = Buffer.concat([flv.avcFrame(''), frameBytes])
    publisher.send(messageChunks(messageTypes.video, body, { timestamp: index, chunkBytes: 65_536 }))
  }
  await vi.waitFor(() => expect(timers.waiting()).toEqual([]))
  // Data beyond the queue limit stays in the socket's buffer.
  expect(session.receivedBytes()).toBeLessThan(400_000)

  const times: number[] = []
  for await (const message of session.messages) {
    times.push((message as VideoFrame).timestampMs)
    if (times.length === frames) break
  }
  expect(times).toEqual(Array.from({ length: frames }, (_, index) => index))
  done.resolve()
  await vi.waitFor(() => expect(timers.waiting()).toEqual([4]))
  timers.runAll()
  expect(await server.nextEnd()).toMatchObject({ code: 'closed' })
})

test('a publisher that does not read answers is paused and times out', async () => {
  const timers = createTimers()
  const { rtmp } = await startTestServer({ startTimer: timers.startTimer, timeouts })
  // A socket whose writes never complete.
  const socket = Object.assign(new Duplex({ read: () => {}, write: () => {} }), { setNoDelay: () => {} })
  const pings = Array.from({ length: 10_000 }, () => ping)
  socket.push(Buffer.concat([handshakeBytes, connectChunks(), ...pings]))
  const end = rtmp.handleSocket(socket as unknown as Socket)
  await vi.waitFor(() => expect(socket.writableNeedDrain).toBe(true))
  expect(socket.writableLength).toBeLessThan(2 * socket.writableHighWaterMark)
  expect(timers.waiting()).toEqual([2])
  timers.runAll()
  expect(await end).toMatchObject({ code: 'timed_out' })
})

test('connections beyond the limit are closed immediately', async () => {
  const server = await startTestServer({ limits: { connections: 1 } })
  const first = await connectPublisher(server.port)
  await first.connect()
  const second = await connectPublisher(server.port)
  if (!second.socket.closed) await once(second.socket, 'close')
  first.socket.destroy()
  await server.nextEnd()
  expect(await server.nextEnd()).toMatchObject({ code: 'refused' })
})

test('a closed server accepts no connections', async () => {
  const rtmp = createRtmpServer({
    authorize: async () => ({ accept: true }),
    onPublish: async () => {},
    onError: () => {},
  })
  await rtmp.close('Over.')
  const listener = createServer((socket) => void rtmp.handleSocket(socket))
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const socket = connect((listener.address() as { port: number }).port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'close')
  listener.close()
})

test('a long refusal arrives complete, in several chunks', async () => {
  const reason = 'No. '.repeat(3_000)
  const server = await startTestServer({ authorize: async () => ({ refuse: reason }) })
  const publisher = await connectPublisher(server.port)
  await publisher.connect()
  expect(await publisher.publish('any')).toMatchObject({ description: reason })
  expect(readAmf0(writeAmf0(reason))).toEqual([reason])
})
