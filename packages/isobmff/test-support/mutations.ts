/** A deterministic generator of integers from 0 to `below` - 1, so that failures are reproducible. */
export type RandomInteger = (below: number) => number

/** mulberry32 with 32 bits of state. Unlike in a congruential generator, the low bits are random too. */
export const seededRandom = (seed: number): RandomInteger => {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

interface Victim {
  readonly bytes: Buffer
  readonly other: Buffer
  readonly random: RandomInteger
}

type Mutation = (victim: Victim) => Buffer

const pick = <T>(list: readonly T[], random: RandomInteger): T => list[random(list.length)] as T

/** Picks an offset. Half of the picks are near the start or the end, where the indexes are. */
const somewhere = ({ bytes, random }: Victim): number => {
  const edge = Math.min(2_048, bytes.length)
  const place = random(4)
  if (place === 0) return random(edge)
  return place === 1 ? bytes.length - 1 - random(edge) : random(bytes.length)
}

const range = (victim: Victim): { start: number; end: number } => {
  const start = somewhere(victim)
  const length = 1 + victim.random(Math.max(1, Math.min(8_192, victim.bytes.length - start)))
  return { start, end: Math.min(victim.bytes.length, start + length) }
}

const hugeNumbers = [0, 1, 0x7f, 0x80, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_fffe, 0xffff_ffff]

const findType = ({ bytes, random }: Victim, types: readonly string[]): number | null => {
  const found: number[] = []
  for (const type of types)
    for (let at = bytes.indexOf(type, 4, 'latin1'); at !== -1; at = bytes.indexOf(type, at + 4, 'latin1'))
      found.push(at - 4)
  return found.length === 0 ? null : pick(found, random)
}

const boxes = ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd', 'mdat', 'moof', 'traf', 'trun', 'RIFF', 'LIST']
const tables = [
  'stsz',
  'stts',
  'ctts',
  'stss',
  'stsc',
  'stco',
  'elst',
  'trun',
  'stsd',
  'mdhd',
  'tkhd',
  'idx1',
]

const lie = ({ bytes, random }: Victim, at: number): void => {
  if (at >= 0 && at + 4 <= bytes.length) bytes.writeUInt32BE(pick(hugeNumbers, random), at)
}

const mutations: Readonly<Record<string, Mutation>> = {
  'flipped bits': (victim) => {
    for (let left = 1 + victim.random(16); left > 0; left--) {
      const at = somewhere(victim)
      victim.bytes[at] = (victim.bytes[at] ?? 0) ^ (1 << victim.random(8))
    }
    return victim.bytes
  },
  'changed bytes': (victim) => {
    for (let left = 1 + victim.random(32); left > 0; left--)
      victim.bytes[somewhere(victim)] = victim.random(256)
    return victim.bytes
  },
  'a huge number': (victim) => {
    lie(victim, somewhere(victim))
    return victim.bytes
  },
  'a box that lies about its size': (victim) => {
    lie(victim, findType(victim, boxes) ?? somewhere(victim))
    return victim.bytes
  },
  'a table that lies about its entries': (victim) => {
    const box = findType(victim, tables)
    lie(victim, box === null ? somewhere(victim) : box + 8 + 4 * victim.random(6))
    return victim.bytes
  },
  'a lost end': ({ bytes, random }) => bytes.subarray(0, random(bytes.length)),
  'a lost beginning': ({ bytes, random }) => bytes.subarray(random(bytes.length)),
  'a zeroed range': (victim) => {
    const { start, end } = range(victim)
    return victim.bytes.fill(0, start, end)
  },
  'a range of noise': (victim) => {
    const { start, end } = range(victim)
    for (let at = start; at < end; at++) victim.bytes[at] = victim.random(256)
    return victim.bytes
  },
  'a removed range': (victim) => {
    const { start, end } = range(victim)
    return Buffer.concat([victim.bytes.subarray(0, start), victim.bytes.subarray(end)])
  },
  'a range twice': (victim) => {
    const { start, end } = range(victim)
    return Buffer.concat([victim.bytes.subarray(0, end), victim.bytes.subarray(start)])
  },
  'a box twice': (victim) => {
    const { bytes } = victim
    const start = findType(victim, boxes)
    if (start === null) return Buffer.concat([bytes, bytes])
    const box = bytes.subarray(start, start + bytes.readUInt32BE(start))
    return Buffer.concat([bytes.subarray(0, start), box, bytes.subarray(start)])
  },
  'the end of another file': ({ bytes, other, random }) =>
    Buffer.concat([bytes.subarray(0, random(bytes.length)), other.subarray(random(other.length))]),
  'another file in the middle': (victim) => {
    const at = somewhere(victim)
    return Buffer.concat([victim.bytes.subarray(0, at), victim.other, victim.bytes.subarray(at)])
  },
}

export interface Mutated {
  readonly bytes: Buffer
  readonly damage: readonly string[]
}

/** Applies one to three mutations to a copy of the file. The same generator state gives the same file. */
export const mutate = (original: Buffer, other: Buffer, random: RandomInteger): Mutated => {
  let bytes = Buffer.from(original)
  const damage: string[] = []
  for (let left = pick([1, 1, 1, 2, 3], random); left > 0 && bytes.length > 0; left--) {
    const [name, change] = pick(Object.entries(mutations), random)
    bytes = Buffer.from(change({ bytes, other, random }))
    damage.push(name)
  }
  return { bytes, damage }
}
