const orientationTag = 0x0112
const shortType = 3
const maxEntries = 200

/**
 * Returns the orientation in the first directory of a TIFF structure (CIPA DC-008 4.6.4), or 1 (upright) when
 * it has none.
 */
export const readOrientation = (tiff: Buffer): number => {
  const order = tiff.toString('latin1', 0, 2)
  if (tiff.length < 10 || (order !== 'II' && order !== 'MM')) return 1
  const read16 = (offset: number): number =>
    order === 'II' ? tiff.readUInt16LE(offset) : tiff.readUInt16BE(offset)
  const directory = order === 'II' ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  if (directory + 2 > tiff.length) return 1
  const count = Math.min(read16(directory), maxEntries)
  for (let entry = directory + 2; entry < directory + 2 + 12 * count; entry += 12) {
    if (entry + 12 > tiff.length) return 1
    if (read16(entry) !== orientationTag || read16(entry + 2) !== shortType) continue
    const value = read16(entry + 8)
    return value >= 1 && value <= 8 ? value : 1
  }
  return 1
}
