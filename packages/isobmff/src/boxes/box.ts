import { Fields } from './fields.ts'
import { IsobmffError } from './isobmff-error.ts'

/** A box of ISO/IEC 14496-12, 4.2. `bytes` is the whole box; `body` excludes the header. */
export interface Box {
  readonly type: string
  readonly bytes: Buffer
  readonly body: Buffer
}

/**
 * A fragment's traf has the most children, because of its runs. Each box takes 300 bytes of memory here, and
 * an empty one takes only 8 bytes in the file.
 */
const maxBoxesPerParent = 10_000

/**
 * Returns the consecutive boxes in `parent`. A size of 0, or a remainder too short for a header, ends the
 * list, because QuickTime terminates some lists with four zero bytes.
 */
export const readBoxes = (parent: Buffer): Box[] => {
  const boxes: Box[] = []
  for (let at = 0; parent.length - at >= 8;) {
    const fields = new Fields(parent, at)
    let sizeBytes = fields.u32()
    const type = fields.fourCC()
    if (sizeBytes === 0) break
    if (sizeBytes === 1) sizeBytes = fields.u64()
    const headerBytes = fields.offset - at
    if (sizeBytes < headerBytes || sizeBytes > parent.length - at) {
      throw new IsobmffError(
        'malformed',
        `Box '${type}' claims ${sizeBytes} bytes (remaining: ${parent.length - at}).`,
      )
    }
    if (boxes.length === maxBoxesPerParent)
      throw new IsobmffError('too_large', `A box contains more than ${maxBoxesPerParent} boxes.`)
    boxes.push({
      type,
      bytes: parent.subarray(at, at + sizeBytes),
      body: parent.subarray(at + headerBytes, at + sizeBytes),
    })
    at += sizeBytes
  }
  return boxes
}

export const findBox = (boxes: readonly Box[], type: string): Box | undefined =>
  boxes.find((box) => box.type === type)

export const requireBox = (boxes: readonly Box[], type: string): Box => {
  const box = findBox(boxes, type)
  if (box === undefined) throw new IsobmffError('malformed', `A '${type}' box is missing.`)
  return box
}
