import { expect, test } from 'vitest'
import { seededRandom } from '../../test-support/mutations.ts'
import { readClosedCaptions } from './read-closed-captions.ts'

const unit = (type: number, payload: Buffer): Buffer => {
  const head = Buffer.alloc(5)
  head.writeUInt32BE(payload.length + 1)
  head[4] = type
  return Buffer.concat([head, payload])
}

const message = (...triplets: number[][]): Buffer => {
  const data = Buffer.concat([
    Buffer.from([0xb5, 0x00, 0x31]),
    Buffer.from('GA94'),
    Buffer.from([0x03, 0x40 | triplets.length, 0xff, ...triplets.flat(), 0xff]),
  ])
  return Buffer.concat([Buffer.from([0x04, data.length]), data, Buffer.from([0x80])])
}

test('reads the pairs of field 1 without padding, and notes other captions', () => {
  const slice = unit(5, Buffer.from('GA94 is no caption here'))
  expect(
    readClosedCaptions(
      Buffer.concat([unit(6, message([0xfc, 0x80, 0x80], [0xfc, 0x94, 0x20], [0xf8, 1, 2])), slice]),
    ),
  ).toEqual({ fieldOne: [[0x94, 0x20]], hasOther: false })
  expect(readClosedCaptions(unit(6, message([0xfd, 0x94, 0x20])))).toEqual({ fieldOne: [], hasOther: true })
  expect(readClosedCaptions(unit(6, message([0xff, 0x02, 0x21])))).toEqual({ fieldOne: [], hasOther: true })
})

test('removes emulation prevention bytes before it reads a message', () => {
  const plain = message([0xfc, 0x94, 0x00], [0xfc, 0x00, 0x01], [0xfc, 0x41, 0xc2])
  const at = plain.indexOf(Buffer.from([0xfc, 0x00, 0x01]))
  // Encoders may write zeros around a triplet.
  const zeros = message([0xfc, 0x00, 0x00], [0x00, 0x41, 0xc2])
  const inside = zeros.indexOf(Buffer.from([0xfc, 0x00, 0x00])) + 3
  const escaped = Buffer.concat([zeros.subarray(0, inside), Buffer.from([3]), zeros.subarray(inside)])
  expect(at).toBeGreaterThan(0)
  expect(readClosedCaptions(unit(6, escaped))).toEqual(readClosedCaptions(unit(6, zeros)))
  expect(readClosedCaptions(unit(6, plain)).fieldOne).toHaveLength(3)
})

test('reads any bytes without an error', () => {
  const random = seededRandom(7)
  const sample = unit(6, message([0xfc, 0x94, 0x20], [0xfc, 0x94, 0x20]))
  for (let round = 0; round < 2_000; round++) {
    const odd = Buffer.from(sample.subarray(0, random(sample.length) + 1))
    for (let change = 0; change < 3; change++) odd[random(odd.length)] = random(256)
    expect(readClosedCaptions(odd).fieldOne.length).toBeLessThanOrEqual(31)
  }
})
