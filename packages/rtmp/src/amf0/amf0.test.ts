import { expect, test } from 'vitest'
import { seededRandom } from '../../../isobmff/test-support/mutations.ts'
import type { Amf0Value } from './amf0-value.ts'
import { readAmf0 } from './read-amf0.ts'
import { RtmpError } from '../wire/rtmp-error.ts'
import { writeAmf0 } from './write-amf0.ts'

const everything: Amf0Value[] = [
  'connect',
  1.5,
  true,
  false,
  null,
  undefined,
  new Date(1_700_000_000_000),
  { app: 'live', nested: { list: [1, 'two', [null]], ['']: 3 }, empty: {} },
  'ü'.repeat(40_000),
]

test('AMF0 values survive a write and read round trip', () => {
  expect(readAmf0(writeAmf0(...everything))).toEqual(everything)
})

test('readAmf0 reads an ECMA array with a wrong count, a typed object and XML', () => {
  const end = '000009'
  const ecma = `08 00000007 0001 61 0101 ${end}`
  const typed = `10 0003 466f6f 0001 62 05 ${end}`
  const xml = '0f 00000003 3c612f'
  const read = readAmf0(Buffer.from(`${ecma}${typed}${xml}0d`.replaceAll(' ', ''), 'hex'))
  expect(read).toEqual([{ a: true }, { b: null }, '<a/', undefined])
})

test('readAmf0 treats __proto__ as an ordinary key', () => {
  const [read] = readAmf0(writeAmf0({ ['__proto__']: { polluted: true } }))
  expect(Object.keys(read as object)).toEqual(['__proto__'])
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
})

const nested = (depth: number): Amf0Value => (depth === 0 ? 1 : [nested(depth - 1)])

test.each([
  ['an end inside a number', Buffer.from('0000', 'hex')],
  ['an end inside a key', Buffer.from('03000561', 'hex')],
  ['a string longer than the message', Buffer.from('02ffff61', 'hex')],
  ['a long string of 4 GiB', Buffer.from('0cffffffff61', 'hex')],
  ['an array of four milliards', Buffer.from('0affffffff05', 'hex')],
  ['arrays in arrays', writeAmf0(nested(17))],
  ['arrays in arrays without an end', Buffer.from('0a00000001'.repeat(10_000), 'hex')],
  ['more than a thousand values', Buffer.alloc(1_001, 5)],
  [
    'a full array of a million',
    Buffer.concat([Buffer.from('0a000f4240', 'hex'), Buffer.alloc(1_000_000, 5)]),
  ],
  ['a reference', Buffer.from('070000', 'hex')],
  ['AMF3', Buffer.from('1106', 'hex')],
])('readAmf0 rejects %s as malformed', (_, bytes) => {
  expect(() => readAmf0(bytes)).toThrow(expect.objectContaining({ code: 'malformed' }))
})

test('readAmf0 reads or rejects mutated messages', () => {
  const random = seededRandom(3)
  const original = writeAmf0(...everything.slice(0, -1))
  for (let round = 0; round < 3_000; round++) {
    const bytes = Buffer.from(original.subarray(0, 1 + random(original.length)))
    for (let left = random(6); left > 0; left--) bytes[random(bytes.length)] = random(256)
    try {
      readAmf0(bytes)
    } catch (error) {
      if (!(error instanceof RtmpError)) throw error
    }
  }
})
