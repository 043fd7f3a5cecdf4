/** Returns a box with the concatenated parts as its body. The size must fit in 32 bits. */
export const writeBox = (type: string, ...parts: readonly Buffer[]): Buffer => {
  const header = Buffer.alloc(8)
  header.writeUInt32BE(
    parts.reduce((sum, part) => sum + part.length, 8),
    0,
  )
  header.write(type, 4, 4, 'latin1')
  return Buffer.concat([header, ...parts])
}

export const writeFullBox = (
  type: string,
  version: number,
  flags: number,
  ...parts: readonly Buffer[]
): Buffer => writeBox(type, u32((version << 24) | flags), ...parts)

export const u16 = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 2)
  values.forEach((value, index) => bytes.writeUInt16BE(value & 0xffff, index * 2))
  return bytes
}

export const u32 = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4)
  values.forEach((value, index) => bytes.writeUInt32BE(value >>> 0, index * 4))
  return bytes
}

export const u64 = (value: number): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(value))
  return bytes
}

export const ascii = (text: string): Buffer => Buffer.from(text, 'latin1')
