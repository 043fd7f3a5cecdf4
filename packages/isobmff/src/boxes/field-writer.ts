/** Writes the fields of boxes in order into a buffer of the final size. */
export class FieldWriter {
  readonly bytes: Buffer
  #offset = 0

  constructor(sizeBytes: number) {
    this.bytes = Buffer.alloc(sizeBytes)
  }

  box(sizeBytes: number, type: number): void {
    this.u32(sizeBytes)
    this.u32(type)
  }

  fullBox(sizeBytes: number, type: number, version: number, flags: number): void {
    this.box(sizeBytes, type)
    this.u32((version << 24) | flags)
  }

  u32(value: number): void {
    this.#offset = this.bytes.writeUInt32BE(value >>> 0, this.#offset)
  }

  u64(value: number): void {
    this.u32(Math.floor(value / 2 ** 32))
    this.u32(value % 2 ** 32)
  }
}

/** Returns the type of a box as a number. */
export const fourCC = (type: string): number => Buffer.from(type, 'latin1').readUInt32BE()
