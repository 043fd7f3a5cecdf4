/** Returns a function that reads the next bits. Bits past the end read as 0. */
export const readBits = (bytes: Buffer): ((count: number) => number) => {
  let at = 0
  return (count) => {
    let value = 0
    for (const end = at + count; at < end; at++) {
      value = value * 2 + (((bytes[at >> 3] ?? 0) >> (7 - (at & 7))) & 1)
    }
    return value
  }
}

/** ISO/IEC 14496-10, 9.1: the number of leading zeros equals the number of bits after the first one. */
export const readExpGolomb = (bits: (count: number) => number): number => {
  let zeros = 0
  while (zeros < 32 && bits(1) === 0) zeros++
  return 2 ** zeros - 1 + bits(zeros)
}
