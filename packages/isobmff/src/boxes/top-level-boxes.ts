import { Fields } from './fields.ts'
import { IsobmffError } from './isobmff-error.ts'
import { readExactly, type RandomAccessReader } from './random-access-reader.ts'

export interface TopLevelBox {
  readonly type: string
  readonly offset: number
  readonly bodyOffset: number
  readonly endOffset: number
}

/** Valid first boxes; any other type means a different format. */
const firstTypes = new Set(['ftyp', 'styp', 'moov', 'mdat', 'free', 'skip', 'wide', 'pnot', 'uuid', 'sidx'])

/**
 * 12 h of 200 ms fragments with four boxes each have 860,000 boxes. A higher count would only keep the reader
 * busy.
 */
const maxTopLevelBoxes = 2 ** 20

export async function* topLevelBoxes(reader: RandomAccessReader): AsyncGenerator<TopLevelBox> {
  for await (const box of boxHeaders(reader, 0, maxTopLevelBoxes)) {
    if (box.offset === 0 && !firstTypes.has(box.type)) {
      throw new IsobmffError('not_isobmff', 'The file does not start like an MP4 or QuickTime file.')
    }
    yield box
  }
}

/** Reads the headers of adjacent boxes up to the end of the reader. */
export async function* boxHeaders(
  reader: RandomAccessReader,
  startOffset: number,
  maxBoxes: number,
): AsyncGenerator<TopLevelBox> {
  let offset = startOffset
  for (let count = 0; reader.sizeBytes - offset >= 8; count++) {
    if (count === maxBoxes) throw new IsobmffError('too_large', `The file has more than ${count} boxes.`)
    const box = await readHeader(reader, offset)
    yield box
    offset = box.endOffset
  }
}

/** Yields a box even when it extends past the end of the file; its consumer reports `truncated`. */
const readHeader = async (reader: RandomAccessReader, offset: number): Promise<TopLevelBox> => {
  const header = new Fields(await readExactly(reader, offset, Math.min(16, reader.sizeBytes - offset)))
  const sizeField = header.u32()
  const type = header.fourCC()
  const sizeBytes = sizeField === 0 ? reader.sizeBytes - offset : sizeField === 1 ? header.u64() : sizeField
  if (sizeBytes < header.offset) {
    throw new IsobmffError('malformed', `Box '${type}' claims ${sizeBytes} bytes.`)
  }
  return { type, offset, bodyOffset: offset + header.offset, endOffset: offset + sizeBytes }
}
