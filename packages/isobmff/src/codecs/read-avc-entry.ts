import { findBox, readBoxes, type Box } from '../boxes/box.ts'
import { Fields } from '../boxes/fields.ts'
import { IsobmffError } from '../boxes/isobmff-error.ts'
import { readAvcParameters, type AvcParameters } from './read-avc-parameters.ts'
import { visualHeadBytes } from './read-decoder-configuration.ts'

interface AvcEntry {
  readonly parameters: AvcParameters
  /** Transfer characteristics that the container states; null without any. */
  readonly transfer: number | null
  /** Fields in each frame that the container states; null without a statement. */
  readonly fields: number | null
  /** Types of boxes that may change how the picture looks, such as those of Dolby Vision. */
  readonly unknownBoxes: readonly string[]
}

const knownBoxes = new Set(['avcC', 'btrt', 'colr', 'fiel', 'pasp'])

/** Reads an `avc1` sample entry. Throws IsobmffError when it is malformed. */
export const readAvcEntry = (sampleEntry: Buffer): AvcEntry => {
  const boxes = readBoxes(sampleEntry.subarray(visualHeadBytes))
  const configuration = findBox(boxes, 'avcC')
  if (configuration === undefined) throw new IsobmffError('malformed', 'A sample entry has no avcC box.')
  const fields = findBox(boxes, 'fiel')
  return {
    parameters: readAvcParameters(configuration.body),
    transfer: readTransfer(findBox(boxes, 'colr')),
    fields: fields === undefined ? null : new Fields(fields.body).u8(),
    unknownBoxes: boxes.map(({ type }) => type).filter((type) => !knownBoxes.has(type)),
  }
}

/** ISO/IEC 14496-12, 12.1.5: primaries and transfer follow the type. QuickTime calls it `nclc`. */
const readTransfer = (colr: Box | undefined): number | null => {
  if (colr === undefined) return null
  const fields = new Fields(colr.body)
  if (!['nclx', 'nclc'].includes(fields.fourCC())) return null
  fields.skip(2)
  return fields.u16()
}
