import { RtmpError } from './rtmp-error.ts'

/** Reads the fields of a message in order. A read past the end throws `malformed`. */
export class Fields {
  readonly #bytes: Buffer
  #offset = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get remainingBytes(): number {
    return this.#bytes.length - this.#offset
  }

  u8(): number {
    return this.#bytes.readUInt8(this.#advance(1))
  }

  peekU8(): number | undefined {
    return this.#bytes[this.#offset]
  }

  u16(): number {
    return this.#bytes.readUInt16BE(this.#advance(2))
  }

  i24(): number {
    return this.#bytes.readIntBE(this.#advance(3), 3)
  }

  u32(): number {
    return this.#bytes.readUInt32BE(this.#advance(4))
  }

  f64(): number {
    return this.#bytes.readDoubleBE(this.#advance(8))
  }

  text(length: number, encoding: 'utf8' | 'latin1' = 'utf8'): string {
    const at = this.#advance(length)
    return this.#bytes.toString(encoding, at, at + length)
  }

  skip(length: number): void {
    this.#advance(length)
  }

  rest(): Buffer {
    return this.#bytes.subarray(this.#advance(this.remainingBytes))
  }

  #advance(length: number): number {
    const at = this.#offset
    if (length > this.remainingBytes)
      throw new RtmpError('malformed', 'A message is shorter than its fields.')
    this.#offset = at + length
    return at
  }
}
