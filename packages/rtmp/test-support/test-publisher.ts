import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { ChunkReader } from '../src/wire/chunk-reader.ts'
import type { Amf0Value } from '../src/amf0/amf0-value.ts'
import { messageTypes, type Message } from '../src/wire/message.ts'
import { readAmf0 } from '../src/amf0/read-amf0.ts'
import { connectChunks, handshakeBytes, publishChunks } from './chunks.ts'

const handshakeAnswerBytes = 1 + 2 * 1_536

export interface TestPublisher {
  readonly socket: Socket
  readonly send: (...pieces: Buffer[]) => void
  readonly next: (type: number) => Promise<Message>
  /** Returns the values after the transaction id of the next command with this name. */
  readonly answer: (name: string) => Promise<readonly Amf0Value[]>
  readonly connect: (app?: string) => Promise<void>
  /** Requests a publish and returns the code and description of the status. */
  readonly publish: (streamKey: string) => Promise<{ code: string; description: string }>
  readonly status: () => Promise<{ code: string; description: string }>
}

export const connectPublisher = async (port: number): Promise<TestPublisher> => {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  const messages = readAnswers(socket)
  const publisher: TestPublisher = {
    socket,
    send: (...pieces) => void socket.write(Buffer.concat(pieces)),
    next: async (type) => {
      for (;;) {
        const { value, done } = await messages.next()
        if (done === true) throw new Error('The server closed the connection.')
        if (value.type === type) return value
      }
    },
    answer: async (name) => {
      for (;;) {
        const [found, , ...values] = readAmf0((await publisher.next(messageTypes.commandAmf0)).payload)
        if (found === name) return values
      }
    },
    connect: async (app) => {
      publisher.send(handshakeBytes, connectChunks(app))
      await publisher.answer('_result')
    },
    publish: async (streamKey) => {
      publisher.send(publishChunks(streamKey))
      return publisher.status()
    },
    status: async () => (await publisher.answer('onStatus'))[1] as { code: string; description: string },
  }
  return publisher
}

async function* readAnswers(socket: Socket): AsyncGenerator<Message, void> {
  const limits = { messageBytes: 65_536, unfinishedBytes: 65_536, chunkStreams: 8 }
  const reader = new ChunkReader(limits)
  let handshakeBytesLeft = handshakeAnswerBytes
  for await (const piece of socket as AsyncIterable<Buffer>) {
    const bytes = piece.subarray(handshakeBytesLeft)
    handshakeBytesLeft -= piece.length - bytes.length
    for (const message of reader.read(bytes)) {
      if (message.type === messageTypes.setChunkSize) reader.setChunkBytes(message.payload.readUInt32BE())
      yield message
    }
  }
}
