/** Up to this number of viewers the sketch holds their hashes, sorted, and is exact. */
const exactViewers = 1_024
const hashBytes = 8
const indexBits = 14
const registers = 1 << indexBits

const hashesIn = (sketch: Buffer): bigint[] =>
  Array.from({ length: sketch.length / hashBytes }, (_, index) => sketch.readBigUInt64BE(index * hashBytes))

const isExact = (sketch: Buffer): boolean => sketch.length !== registers

/** HyperLogLog (Flajolet et al. 2007): the register of a hash keeps the longest run of zeros. */
const note = (dense: Buffer, hash: bigint): void => {
  const index = Number(hash >> BigInt(64 - indexBits))
  const rest = hash & ((1n << BigInt(64 - indexBits)) - 1n)
  const rank = rest === 0n ? 64 - indexBits + 1 : 64 - indexBits - rest.toString(2).length + 1
  if (rank > (dense[index] ?? 0)) dense[index] = rank
}

/** Adds hashes of viewers to a sketch of their number. */
export const addViewers = (sketch: Buffer | null, viewers: Iterable<string>): Buffer => {
  const added = Array.from(viewers, (viewer) => BigInt(`0x${viewer}`))
  const known = sketch ?? Buffer.alloc(0)
  if (isExact(known)) {
    const all = [...new Set([...hashesIn(known), ...added])].toSorted((one, other) => (one < other ? -1 : 1))
    const next = Buffer.alloc(all.length <= exactViewers ? all.length * hashBytes : registers)
    if (all.length > exactViewers) for (const hash of all) note(next, hash)
    else for (const [index, hash] of all.entries()) next.writeBigUInt64BE(hash, index * hashBytes)
    return next
  }
  const next = Buffer.from(known)
  for (const hash of added) note(next, hash)
  return next
}

/** Share of registers without a hash. */
const sigma = (share: number): number => {
  if (share === 1) return Infinity
  let [x, y, z] = [share, 1, share]
  for (let before = -1; z !== before; y += y) {
    x *= x
    before = z
    z += x * y
  }
  return z
}

/** Share of registers with the longest run. */
const tau = (share: number): number => {
  if (share === 0 || share === 1) return 0
  let [x, y, z] = [share, 1, 1 - share]
  for (let before = -1; z !== before;) {
    x = Math.sqrt(x)
    before = z
    y *= 0.5
    z -= (1 - x) ** 2 * y
  }
  return z / 3
}

/** The improved estimator of Ertl (2017), which is right over the whole range, without tables. */
export const countViewers = (sketch: Buffer): number => {
  if (isExact(sketch)) return sketch.length / hashBytes
  const longest = 64 - indexBits
  const counts = Array.from({ length: longest + 2 }, () => 0)
  for (const rank of sketch) counts[rank] = (counts[rank] ?? 0) + 1
  let z = registers * tau(1 - (counts[longest + 1] ?? 0) / registers)
  for (let rank = longest; rank >= 1; rank--) z = 0.5 * (z + (counts[rank] ?? 0))
  z += registers * sigma((counts[0] ?? 0) / registers)
  return Math.round(registers ** 2 / (2 * Math.LN2) / z)
}
