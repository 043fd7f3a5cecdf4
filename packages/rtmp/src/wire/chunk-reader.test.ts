import { expect, test } from 'vitest'
import { chunk, messageChunks } from '../../test-support/chunks.ts'
import { ChunkReader } from './chunk-reader.ts'
import type { Message } from './message.ts'

const limits = { messageBytes: 1_000_000, unfinishedBytes: 1_500_000, chunkStreams: 4 }

const read = (pieces: readonly Buffer[], reader = new ChunkReader(limits)): Message[] =>
  pieces.flatMap((piece) => [...reader.read(piece)])

const bytes = (length: number, first = 0) =>
  Buffer.from(Array.from({ length }, (_, at) => (first + at) & 0xff))
const short = Buffer.from('abc')
const long = bytes(300)
const timesOf = (messages: readonly Message[]) => messages.map(({ timestamp }) => timestamp)

const later = 0x0100_0000

const cases: Record<string, { sent: Buffer[]; times: number[]; payloads?: Buffer[] }> = {
  'a message of one chunk': {
    sent: [messageChunks(8, short, { timestamp: 7 })],
    times: [7],
    payloads: [short],
  },
  'an empty message': { sent: [messageChunks(8, Buffer.alloc(0))], times: [0], payloads: [Buffer.alloc(0)] },
  'a message of three chunks': { sent: [messageChunks(8, long)], times: [0], payloads: [long] },
  'format 1 adds its delta': {
    sent: [
      chunk({ format: 0, id: 3, timestamp: 10, payload: short }),
      chunk({ format: 1, id: 3, timestamp: 5, payload: long.subarray(0, 9) }),
    ],
    times: [10, 15],
    payloads: [short, long.subarray(0, 9)],
  },
  'format 2 keeps the length': {
    sent: [
      chunk({ format: 0, id: 3, timestamp: 10, payload: short }),
      chunk({ format: 2, id: 3, timestamp: 5, payload: short }),
    ],
    times: [10, 15],
    payloads: [short, short],
  },
  'format 3 at a new message takes the delta of format 2 again': {
    sent: [
      chunk({ format: 0, id: 3, timestamp: 10, payload: short }),
      chunk({ format: 2, id: 3, timestamp: 5, payload: short }),
      chunk({ format: 3, id: 3, payload: short }),
      chunk({ format: 3, id: 3, payload: short }),
    ],
    times: [10, 15, 20, 25],
  },
  'format 3 at a new message behind format 0 adds its timestamp': {
    sent: [
      chunk({ format: 0, id: 3, timestamp: 10, payload: short }),
      chunk({ format: 3, id: 3, payload: short }),
    ],
    times: [10, 20],
  },
  'format 1 may open a chunk stream, as librtmp does with a pong': {
    sent: [chunk({ format: 1, id: 2, timestamp: 4, payload: short })],
    times: [4],
  },
  'extended timestamps are repeated in format 3': {
    sent: [messageChunks(9, long, { timestamp: later })],
    times: [later],
    payloads: [long],
  },
  'extended timestamps that are not repeated in format 3': {
    sent: [
      chunk({ format: 0, id: 4, extended: later, length: 200, payload: long.subarray(0, 128) }),
      chunk({ format: 3, id: 4, payload: long.subarray(128, 200) }),
    ],
    times: [later],
    payloads: [long.subarray(0, 200)],
  },
  'a delta behind an extended timestamp is none': {
    sent: [
      messageChunks(9, short, { timestamp: later }),
      chunk({ format: 1, id: 4, timestamp: 40, payload: short }),
      chunk({ format: 3, id: 4, payload: short }),
    ],
    times: [later, later + 40, later + 80],
  },
  'an extended delta, and once more in format 3': {
    sent: [
      chunk({ format: 0, id: 4, timestamp: 1, payload: short }),
      chunk({ format: 1, id: 4, extended: later, payload: short }),
      chunk({ format: 3, id: 4, extended: later, payload: short }),
    ],
    times: [1, later + 1, 2 * later + 1],
  },
  'a timestamp of 0xffffff is extended too': {
    sent: [messageChunks(8, short, { timestamp: 0xff_ffff })],
    times: [0xff_ffff],
  },
  'a delta turns the clock over': {
    sent: [
      messageChunks(8, short, { timestamp: 0xffff_fff0 }),
      chunk({ format: 2, id: 4, timestamp: 0x20, payload: short }),
    ],
    times: [0xffff_fff0, 0x10],
  },
  'two messages interleaved': {
    sent: [
      chunk({ format: 0, id: 4, timestamp: 1, length: 200, payload: long.subarray(0, 128) }),
      chunk({ format: 0, id: 6, timestamp: 2, length: 130, payload: long.subarray(0, 128) }),
      chunk({ format: 3, id: 4, payload: long.subarray(128, 200) }),
      chunk({ format: 3, id: 6, payload: long.subarray(128, 130) }),
    ],
    times: [1, 2],
    payloads: [long.subarray(0, 200), long.subarray(0, 130)],
  },
  'chunk stream ids of one, two and three bytes': {
    sent: [2, 63, 64, 319].map((id) => messageChunks(8, short, { id, timestamp: id })),
    times: [2, 63, 64, 319],
  },
  'the highest chunk stream ids': {
    sent: [320, 65_599].flatMap((id) => [messageChunks(8, long, { id, timestamp: id })]),
    times: [320, 65_599],
    payloads: [long, long],
  },
}

test.each(Object.entries(cases))('chunk reader: %s', (_, { sent, times, payloads }) => {
  const messages = read(sent)
  expect(timesOf(messages)).toEqual(times)
  if (payloads !== undefined) expect(messages.map(({ payload }) => payload)).toEqual(payloads)
})

/** Formats messages as text, because comparing thousands of byte lists is slow. */
const written = (messages: readonly Message[]) =>
  messages.map(({ timestamp, payload }) => `${timestamp}:${payload.toString('latin1')}`).join()

test('ChunkReader returns the same messages wherever the network splits the bytes', () => {
  for (const { sent } of Object.values(cases)) {
    const whole = Buffer.concat(sent)
    const expected = written(read(sent))
    for (let at = 0; at <= whole.length; at++)
      expect(written(read([whole.subarray(0, at), whole.subarray(at)]))).toBe(expected)
    expect(written(read(Array.from(whole, (byte) => Buffer.of(byte))))).toBe(expected)
  }
})

test.each([1, 127, 128, 129, 4_096, 0xff_ffff, 0x7fff_ffff])(
  'ChunkReader reads chunks of %i bytes',
  (chunkBytes) => {
    const reader = new ChunkReader(limits)
    reader.setChunkBytes(chunkBytes)
    expect(read([messageChunks(9, long, { chunkBytes })], reader)[0]!.payload).toEqual(long)
  },
)

test('a new chunk size applies from the next chunk on, even within the same read', () => {
  const reader = new ChunkReader(limits)
  const messages: Message[] = []
  for (const message of reader.read(
    Buffer.concat([messageChunks(1, short), messageChunks(9, long, { chunkBytes: 300 })]),
  )) {
    if (message.type === 1) reader.setChunkBytes(300)
    messages.push(message)
  }
  expect(messages.map(({ payload }) => payload)).toEqual([short, long])
})

test('an aborted message is dropped, and its chunk stream remains usable', () => {
  const reader = new ChunkReader(limits)
  const first = chunk({ format: 0, id: 4, length: 300, payload: long.subarray(0, 128) })
  expect(read([first], reader)).toEqual([])
  reader.abort(4)
  reader.abort(77)
  expect(read([chunk({ format: 1, id: 4, payload: short })], reader)[0]!.payload).toEqual(short)
})

test.each([
  ['malformed', [chunk({ format: 2, id: 4, payload: short })]],
  ['malformed', [chunk({ format: 3, id: 4, payload: short })]],
  [
    'malformed',
    [chunk({ format: 0, id: 4, length: 300, payload: long.subarray(0, 128) }), messageChunks(8, short)],
  ],
  ['too_large', [chunk({ format: 0, id: 4, length: 1_000_001, payload: short })]],
  ['too_large', [4, 5].map((id) => chunk({ format: 0, id, length: 900_000, payload: bytes(128) }))],
  ['too_large', [3, 4, 5, 6, 7].map((id) => messageChunks(8, short, { id }))],
])('ChunkReader rejects invalid chunks with %s (%#)', (code, sent) => {
  expect(() => read(sent)).toThrow(expect.objectContaining({ code }))
})

test.each([0, 0x8000_0000])('setChunkBytes rejects %i bytes', (size) => {
  expect(() => new ChunkReader(limits).setChunkBytes(size)).toThrow(
    expect.objectContaining({ code: 'malformed' }),
  )
})
