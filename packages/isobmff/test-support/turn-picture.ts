import { readFile, writeFile } from 'node:fs/promises'

/** ISO/IEC 14496-12, 8.3.2: bytes from the name of a track header of version 0 to its matrix, and to the width. */
const matrixAt = 44
const widthAt = 80

/** a, b, c and d of the matrix, for each clockwise turn and for a picture upside down in a mirror. */
const turns = { 90: [0, 1, -1, 0], 180: [-1, 0, 0, -1], 270: [0, -1, 1, 0], flipped: [1, 0, 0, -1] } as const

export type Turn = keyof typeof turns

/**
 * Turns the picture of an MP4 or MOV clockwise by its track header, as phones do. ffmpeg has an option for it, too, but
 * another one since version 7.
 */
export const turnPicture = async (path: string, turn: Turn): Promise<void> => {
  const bytes = await readFile(path)
  let header = bytes.indexOf('tkhd')
  // A track of sound has no width.
  while (header >= 0 && bytes.readUInt32BE(header + widthAt) === 0) header = bytes.indexOf('tkhd', header + 4)
  if (header < 0 || bytes[header + 4] !== 0) throw new Error(`${path} has no video track of version 0.`)
  const [width = 0, height = 0] = [0, 4].map((at) => bytes.readInt32BE(header + widthAt + at))
  const [a, b, c, d] = turns[turn]
  const offsets = { 90: [height, 0], 180: [width, height], 270: [0, width], flipped: [0, height] }
  const [x, y] = offsets[turn] as [number, number]
  const matrix = [a << 16, b << 16, 0, c << 16, d << 16, 0, x, y, 1 << 30]
  for (const [index, value] of matrix.entries()) bytes.writeInt32BE(value, header + matrixAt + 4 * index)
  await writeFile(path, bytes)
}
