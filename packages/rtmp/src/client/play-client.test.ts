import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { commandChunks, flv, messageChunks, videoChunks } from '../../test-support/chunks.ts'
import { startTestServer } from '../../test-support/test-server.ts'
import { ChunkReader } from '../wire/chunk-reader.ts'
import { readCommand } from '../messages/command.ts'
import { playFrom, publishTo } from '../index.ts'
import { messageTypes } from '../wire/message.ts'

const address = { app: 'live', streamName: 'key', tcUrl: 'rtmp://source.example/live' }
const timeouts = { startMs: 5_000, idleMs: 5_000 }

const limits = { messageBytes: 65_536, unfinishedBytes: 65_536, chunkStreams: 8 }

const startScripted = async (script: Readonly<Record<string, readonly Buffer[]>>): Promise<Socket> => {
  const server = createServer((socket) => void obey(socket, script).catch(() => {}))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => void server.close())
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

const obey = async (socket: Socket, script: Readonly<Record<string, readonly Buffer[]>>): Promise<void> => {
  const reader = new ChunkReader(limits)
  let handshakeBytesLeft = 1 + 2 * 1_536
  socket.write(Buffer.concat([Buffer.of(3), Buffer.alloc(2 * 1_536)]))
  for await (const piece of socket as AsyncIterable<Buffer>) {
    const bytes = piece.subarray(handshakeBytesLeft)
    handshakeBytesLeft -= piece.length - bytes.length
    for (const message of reader.read(bytes)) {
      if (message.type === messageTypes.setChunkSize) reader.setChunkBytes(message.payload.readUInt32BE())
      if (message.type !== messageTypes.commandAmf0) continue
      for (const answer of script[readCommand(message).name] ?? []) socket.write(answer)
    }
  }
}

const consent = {
  connect: [commandChunks('_result', 1, { fmsVer: 'x' }, { code: 'NetConnection.Connect.Success' })],
}

test('playFrom passes media on until the server ends the stream', async () => {
  const socket = await startScripted({
    ...consent,
    createStream: [commandChunks('_result', 2, null, 1)],
    play: [
      commandChunks('onStatus', 0, null, { level: 'status', code: 'NetStream.Play.Start' }),
      videoChunks(flv.avcConfiguration(), 0),
      videoChunks(flv.avcFrame(), 40),
      messageChunks(messageTypes.userControl, Buffer.of(0, 6, 0, 0, 0, 9), { id: 2 }),
      videoChunks(flv.avcFrame('last', false), 80),
      commandChunks('onStatus', 0, null, { level: 'status', code: 'NetStream.Play.UnpublishNotify' }),
    ],
  })
  const play = await playFrom(socket, address, timeouts)
  const messages = await Array.fromAsync(play.messages)
  expect(
    messages.map((message) => [message.type, 'timestampMs' in message ? message.timestampMs : null]),
  ).toEqual([
    ['video-configuration', null],
    ['video-frame', 40],
    ['video-frame', 80],
  ])
  expect(await play.ended).toContain('UnpublishNotify')
})

test("playFrom rejects with the server's description when it refuses to play", async () => {
  const server = await startTestServer()
  const socket = connect(server.port, '127.0.0.1')
  await once(socket, 'connect')
  await expect(playFrom(socket, address, timeouts)).rejects.toThrow('This server only receives streams')
})

test.each([
  ['another protocol', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')],
  [
    'a chunk stream without a header',
    Buffer.concat([Buffer.of(3), Buffer.alloc(2 * 1_536), Buffer.of(0xc3)]),
  ],
])('playFrom rejects %s with an RtmpError', async (_what, bytes) => {
  const server = createServer((socket) => void socket.on('error', () => {}).end(bytes))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => void server.close())
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  await once(socket, 'connect')
  await expect(playFrom(socket, address, timeouts)).rejects.toMatchObject({ name: 'RtmpError' })
})

test('takes is false for codecs that the server does not list', async () => {
  const socket = await startScripted({
    ...consent,
    createStream: [commandChunks('_result', 4, null, 1)],
    publish: [commandChunks('onStatus', 0, null, { level: 'status', code: 'NetStream.Publish.Start' })],
  })
  const push = await publishTo(socket, address, timeouts)
  const codecs = ['avc1', 'mp4a', 'hvc1', 'av01', 'Opus'] as const
  expect(codecs.filter(push.takes)).toEqual(['avc1', 'mp4a'])
  push.close()
})
