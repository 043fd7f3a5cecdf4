import type { RandomAccessReader } from '@zoetrope/isobmff'

/** An element of RFC 8794, by its positions in the file. */
export type EbmlElement = { id: number; offset: number; bodyOffset: number; endOffset: number }

/** RFC 8794, 17.1: an id has at most four bytes, a size at most eight. */
const maxHeaderBytes = 12

const lengthOf = (firstByte: number): number => Math.clz32(firstByte) - 23

/** Returns null at an element of unknown size, which live streams have, and where there is none. */
const parseHeader = (bytes: Buffer, at: number): { id: number; sizeBytes: number; length: number } | null => {
  const idLength = lengthOf(bytes[at] ?? 0)
  const sizeLength = lengthOf(bytes[at + idLength] ?? 0)
  const length = idLength + sizeLength
  if (idLength > 4 || sizeLength > 8 || at + length > bytes.length) return null
  const id = bytes.readUIntBE(at, idLength)
  let sizeBytes = bytes[at + idLength]! & ((1 << (8 - sizeLength)) - 1)
  for (let index = 1; index < sizeLength; index++) sizeBytes = sizeBytes * 256 + bytes[at + idLength + index]!
  return Number.isSafeInteger(sizeBytes) && sizeBytes < 2 ** (7 * sizeLength) - 1
    ? { id, sizeBytes, length }
    : null
}

export const readElement = async (
  reader: RandomAccessReader,
  offset: number,
): Promise<EbmlElement | null> => {
  const header = parseHeader(await reader.read(offset, maxHeaderBytes), 0)
  if (header === null) return null
  const bodyOffset = offset + header.length
  return { id: header.id, offset, bodyOffset, endOffset: bodyOffset + header.sizeBytes }
}

export type EbmlChild = { id: number; body: Buffer }

/** Returns the elements of a body up to the first that is damaged. */
export const childrenOf = (body: Buffer): EbmlChild[] => {
  const children: EbmlChild[] = []
  for (let at = 0; at < body.length;) {
    const header = parseHeader(body, at)
    if (header === null) break
    const start = at + header.length
    at = start + header.sizeBytes
    children.push({ id: header.id, body: body.subarray(start, at) })
  }
  return children
}

export const childOf = (children: readonly EbmlChild[], id: number): Buffer | undefined =>
  children.find((child) => child.id === id)?.body

/** RFC 8794, 7.2. */
export const unsignedOf = (body: Buffer | undefined): number | null =>
  body === undefined || body.length === 0 || body.length > 8
    ? null
    : body.reduce((value, byte) => value * 256 + byte, 0)
