import type { MediaMessage } from '@zoetrope/rtmp'
import { expect, test } from 'vitest'
import { mutate, seededRandom } from '../../../../../packages/isobmff/test-support/mutations.ts'
import { Av1Messages } from './av1-messages.ts'
import { UnsupportedMediaError } from './feed-packager.ts'

const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex')
/** Sequence headers from SVT-AV1, for pictures of 322 × 182 and of 320 × 180. */
const header = '0a0b000000043d06d402f80040'
const otherHeader = '0a0e000000043cfecc02f85091009040'
const delimiter = '1200'
const padding = '7a020000'
const picture = '3202a5a5'

const configuration = (hex: string): MediaMessage => ({
  type: 'video-configuration',
  codec: 'av01',
  data: bytes(hex),
})
const frame = (hex: string, isKeyFrame = true): MediaMessage => ({
  type: 'video-frame',
  codec: 'av01',
  timestampMs: 0,
  compositionTimeMs: 0,
  isKeyFrame,
  data: bytes(hex),
})
const usual = configuration(`81000c00 ${header}`)

test.each<[string, MediaMessage[], MediaMessage[]]>([
  [
    'delimiters and padding go',
    [usual, frame(delimiter + header + picture + padding), frame(delimiter + picture, false)],
    [usual, frame(header + picture), frame(picture, false)],
  ],
  ['frames of nothing else go', [usual, frame(delimiter, false)], [usual]],
  ['the header is put before key frames', [usual, frame(picture)], [usual, frame(header + picture)]],
  [
    'a configuration without header waits for a key frame',
    [configuration('81000c00'), frame(picture, false), frame(header + picture), frame(picture, false)],
    [usual, frame(header + picture), frame(picture, false)],
  ],
  [
    'none at all is made of the first key frame',
    [frame(delimiter + header + picture)],
    [usual, frame(header + picture)],
  ],
  ['one that says something else of its header is corrected', [configuration(`815fff00 ${header}`)], [usual]],
  [
    'another header in the middle is another configuration, once',
    [usual, frame(header + picture), frame(otherHeader + picture), frame(otherHeader + picture)],
    [
      usual,
      frame(header + picture),
      configuration(`81004c00 ${otherHeader}`),
      frame(otherHeader + picture),
      frame(otherHeader + picture),
    ],
  ],
  [
    'other codecs pass',
    [{ type: 'video-configuration', codec: 'avc1', data: bytes('00') }],
    [{ type: 'video-configuration', codec: 'avc1', data: bytes('00') }],
  ],
])('AV1 messages: %s', (_what, sent, taken) => {
  const av1 = new Av1Messages()
  expect(sent.flatMap((message) => av1.read(message))).toEqual(taken)
})

test.each<[string, MediaMessage[], string]>([
  ['a record of another version', [configuration(`82000c00 ${header}`)], 'is not an av1C'],
  ['a header that breaks off', [configuration('81000c00 0a020000')], 'shorter than its fields'],
  [
    'an OBU that is longer than its frame',
    [usual, frame('32ffff0300', false)],
    'claims 65535 bytes (remaining: 1)',
  ],
  ['a length without an end', [usual, frame('32ffff', false)], 'is too long'],
  ['garbage', [usual, frame('ff00', false)], 'forbidden bit'],
  [
    'key frames without any header',
    [configuration('81000c00'), frame(picture)],
    'AV1 sequence header is missing',
  ],
])('rejects %s with a reason', (_what, sent, words) => {
  const av1 = new Av1Messages()
  const read = () => sent.flatMap((message) => av1.read(message))
  expect(read).toThrow(UnsupportedMediaError)
  expect(read).toThrow(words)
})

test('reports mutated input as an error of the encoder', () => {
  const random = seededRandom(11)
  const [record, sample] = [bytes(`81000c00 ${header}`), bytes(delimiter + header + picture + padding)]
  for (let round = 0; round < 2_000; round++) {
    const av1 = new Av1Messages()
    const read = (hurt: Buffer, type: 'configuration' | 'frame') => {
      try {
        const hex = mutate(hurt, hurt, random).bytes.toString('hex')
        return av1.read(type === 'frame' ? frame(hex, random(2) === 0) : configuration(hex))
      } catch (error) {
        expect(error).toBeInstanceOf(UnsupportedMediaError)
        return []
      }
    }
    read(record, 'configuration')
    for (let index = 0; index < 3; index++) read(sample, 'frame')
  }
})
