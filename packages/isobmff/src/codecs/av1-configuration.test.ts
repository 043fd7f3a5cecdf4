import { expect, test } from 'vitest'
import { mutate, seededRandom } from '../../test-support/mutations.ts'
import { readAv1ConfigurationObus, writeAv1Configuration, writeObu } from './av1-configuration.ts'
import { IsobmffError, readObus, readPictureSize } from '../index.ts'
import { readAv1Sequence } from './read-av1-sequence.ts'
import { describeSampleEntry } from '../read/read-sample-entry.ts'
import { writeVisualSampleEntry } from './write-sample-entry.ts'

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex')
const codecOf = (configuration: Buffer): string =>
  describeSampleEntry(
    writeVisualSampleEntry('av01', configuration, { widthPixels: 1, heightPixels: 1 }),
    'video',
  ).codec

/** av1C bodies that ffmpeg wrote for these encoders. */
const real: readonly (readonly [string, string, string, string])[] = [
  ['SVT-AV1', '81000c000a0b000000043d06d402f80040', '322x182', 'av01.0.00M.08'],
  [
    'SVT-AV1, HDR of ten bits',
    '81004c000a0e000000043cfecc02f85091009040',
    '320x180',
    'av01.0.00M.10.0.110.09.16.09.0',
  ],
  ['libaom, 4:4:4', '812000000a0a200000043cfeccdaf902', '320x180', 'av01.1.00M.08.0.000.01.01.01.0'],
  [
    'libaom, 4:2:2 of twelve bits',
    '814068000a0b400000043cfeccdaf96220',
    '320x180',
    'av01.2.00M.12.0.100.01.01.01.0',
  ],
  ['libaom, grey', '81001c000a0a000000043cfeccdaf92a', '320x180', 'av01.0.00M.08.1.110.01.01.01.1'],
  [
    'rav1e, full range',
    '811f0c000a0e000000fa1e7f66210a88101014a0',
    '320x180',
    'av01.0.31M.08.0.110.02.02.02.1',
  ],
]

test.each(real)(
  'the av1C of %s yields size and codec and is rewritten identically',
  (_name, hex, size, codec) => {
    const configuration = bytes(hex)
    const { widthPixels, heightPixels } = readPictureSize('av01', configuration)
    expect(`${widthPixels}x${heightPixels}`).toBe(size)
    expect(codecOf(configuration)).toBe(codec)
    expect(writeAv1Configuration(readAv1ConfigurationObus(configuration))).toEqual(configuration)
  },
)

/** Builds a sequence header from fields written as bits. */
const sequence = (...fields: readonly string[]): Buffer => {
  const bits = fields.join('').replaceAll(' ', '')
  const octets = bits.padEnd(Math.ceil(bits.length / 8) * 8, '0').match(/.{8}/g)!
  return Buffer.from(octets.map((octet) => Number.parseInt(octet, 2)))
}
const size640x360 = '1001 1000 1001111111 101100111'
const rest = '0 000 0000 0 1 1 000 0 0 0 0 00 0'

test.each([
  ['a still picture', sequence('000 1 1 00101', size640x360, '000 000 0 0 0 0 00 0'), { level: 5, tier: 0 }],
  [
    'timing, a decoder model and two operating points',
    sequence(
      ...['000 0 0 1', '0'.repeat(32), '0'.repeat(32), '1 00101', '1 00011', '0'.repeat(42), '1 00001'],
      ...['000100000001 01101 1 1', '0'.repeat(9), '1 0101', '000100000011 00100 0 0'],
      ...[size640x360, rest],
    ),
    { level: 13, tier: 1 },
  ],
  [
    'frame ids, screen content and no order hint',
    sequence(
      '000 0 0 0 0 00000 000000000000 01000 0',
      size640x360,
      '1 0000000 000 0000 0 0 1 0 1 000',
      '0'.repeat(8),
    ),
    { level: 8, tier: 0 },
  ],
])('readAv1Sequence reads the sequence header of %s', (_name, payload, facts) => {
  expect(readAv1Sequence(payload)).toMatchObject({
    ...facts,
    profile: 0,
    color: { bitDepth: 8, subsamplingX: 1, description: null },
    size: { widthPixels: 640, heightPixels: 360 },
  })
})

test.each([
  ['nothing', ''],
  ['another version', '82000c000a0b000000043d06d402f80040'],
  ['no sequence header', '81000c00'],
  ['a sequence header that breaks off', '81000c000a04000000043d'],
  ['a length beyond the end', '81000c000a7f0000'],
  ['a length without an end', '81000c000affffffffffffffffff'],
  ['a forbidden bit', '81000c008a0b000000043d06d402f80040'],
])('readPictureSize rejects a configuration with %s', (_name, hex) => {
  expect(() => readPictureSize('av01', bytes(hex))).toThrow(IsobmffError)
})

test('readPictureSize rejects pictures wider than a sample entry allows', () => {
  const payload = sequence('000 0 0 0 0 00000 000000000000 01000 0 1111 1111', '1'.repeat(32), rest)
  const header = readObus(Buffer.concat([Buffer.of(0x0a, payload.length), payload]))
  expect(() => readPictureSize('av01', writeAv1Configuration(header))).toThrow('65536 × 65536')
})

test('a mutated configuration throws only IsobmffError', () => {
  const random = seededRandom(7)
  const whole = bytes(real[1]![1])
  for (let round = 0; round < 2_000; round++) {
    const broken = mutate(whole, whole, random).bytes
    try {
      readPictureSize('av01', broken)
      writeAv1Configuration(readAv1ConfigurationObus(broken))
    } catch (error) {
      expect(error).toBeInstanceOf(IsobmffError)
    }
    if (broken.length > 4) expect(codecOf(broken)).toMatch(/^av01\./)
  }
})

test('writeObu adds the size that the last OBU of a sample may omit', () => {
  const frame = Buffer.alloc(300, 1)
  const sample = Buffer.concat([bytes('1200'), bytes('0a0101'), Buffer.of(0x34, 0x40), frame])
  const obus = readObus(sample)
  expect(obus.map(({ type, payload }) => [type, payload.length])).toEqual([
    [2, 0],
    [1, 1],
    [6, 300],
  ])
  expect(writeObu(obus[2]!)).toEqual(Buffer.concat([Buffer.of(0x36, 0x40, 0xac, 0x02), frame]))
  expect(readObus(Buffer.concat(obus.map(writeObu))).map(({ payload }) => payload)).toEqual(
    obus.map(({ payload }) => payload),
  )
})

test('readObus rejects a sample with more than 4,096 tiny OBUs', () => {
  expect(readObus(Buffer.alloc(2 * 4_096, bytes('1200')))).toHaveLength(4_096)
  expect(() => readObus(Buffer.alloc(2 * 4_097, bytes('1200')))).toThrow(IsobmffError)
})
