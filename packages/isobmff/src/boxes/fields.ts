import { IsobmffError } from './isobmff-error.ts'

/** Reads the fields of a box in order. A read past the end throws `malformed`. */
export class Fields {
  readonly bytes: Buffer
  offset: number

  constructor(bytes: Buffer, offset = 0) {
    this.bytes = bytes
    this.offset = offset
  }

  get remainingBytes(): number {
    return this.bytes.length - this.offset
  }

  u8(): number {
    return this.bytes.readUInt8(this.#advance(1))
  }

  u16(): number {
    return this.bytes.readUInt16BE(this.#advance(2))
  }

  u24(): number {
    return this.bytes.readUIntBE(this.#advance(3), 3)
  }

  u32(): number {
    return this.bytes.readUInt32BE(this.#advance(4))
  }

  /** Reads `count` fields at once, for long tables. Supported processors are little-endian. */
  u32s(count: number): Uint32Array {
    const at = this.#advance(count * 4)
    const values = new Uint32Array(count)
    const bytes = Buffer.from(values.buffer)
    this.bytes.copy(bytes, 0, at, at + count * 4)
    bytes.swap32()
    return values
  }

  i32(): number {
    return this.bytes.readInt32BE(this.#advance(4))
  }

  u64(): number {
    return toSafeNumber(this.bytes.readBigUInt64BE(this.#advance(8)))
  }

  i64(): number {
    return toSafeNumber(this.bytes.readBigInt64BE(this.#advance(8)))
  }

  f64(): number {
    return this.bytes.readDoubleBE(this.#advance(8))
  }

  fourCC(): string {
    const at = this.#advance(4)
    return this.bytes.toString('latin1', at, at + 4)
  }

  skip(length: number): void {
    this.#advance(length)
  }

  take(length: number): Buffer {
    const at = this.#advance(length)
    return this.bytes.subarray(at, at + length)
  }

  rest(): Buffer {
    return this.take(this.remainingBytes)
  }

  /** Reads an entry count and checks that the remaining bytes can contain the entries. */
  entryCount(entryBytes: number): number {
    const count = this.u32()
    if (count * entryBytes > this.remainingBytes) {
      throw new IsobmffError(
        'malformed',
        `A table claims ${count} entries (remaining bytes: ${this.remainingBytes}).`,
      )
    }
    return count
  }

  #advance(length: number): number {
    const at = this.offset
    if (length > this.bytes.length - at)
      throw new IsobmffError('malformed', 'A box is shorter than its fields.')
    this.offset = at + length
    return at
  }
}

const toSafeNumber = (value: bigint): number => {
  const number = Number(value)
  if (!Number.isSafeInteger(number)) throw new IsobmffError('malformed', `The value ${value} is too large.`)
  return number
}

/** Reads the version and flags of a FullBox (ISO/IEC 14496-12, 4.2.2) and returns a reader for its fields. */
export const readFullBox = (body: Buffer): { version: number; flags: number; fields: Fields } => {
  const fields = new Fields(body)
  const version = fields.u8()
  const flags = fields.u24()
  return { version, flags, fields }
}
