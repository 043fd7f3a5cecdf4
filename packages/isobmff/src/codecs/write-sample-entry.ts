import { Fields } from '../boxes/fields.ts'
import { IsobmffError } from '../boxes/isobmff-error.ts'
import type { PictureSize } from './picture-size.ts'
import { ascii, u16, u32, writeBox } from '../boxes/write-box.ts'

const configurationBoxes = { avc1: 'avcC', hvc1: 'hvcC', av01: 'av1C' } as const
const dotsPerInch72 = 0x48_0000
const depth24 = 24

/**
 * Returns a visual sample entry (ISO/IEC 14496-12, 12.1.3) for a decoder configuration as sent by encoders.
 */
export const writeVisualSampleEntry = (
  fourCC: keyof typeof configurationBoxes,
  configuration: Buffer,
  { widthPixels, heightPixels }: PictureSize,
): Buffer =>
  writeBox(
    fourCC,
    Buffer.alloc(6),
    u16(1),
    Buffer.alloc(16),
    u16(widthPixels, heightPixels),
    u32(dotsPerInch72, dotsPerInch72, 0),
    u16(1),
    Buffer.alloc(32),
    u16(depth24, 0xffff),
    writeBox(configurationBoxes[fourCC], configuration),
  )

const opusRateHz = 48_000
const opusMagic = ascii('OpusHead')

/**
 * Returns the sample entry for an Opus identification header (RFC 7845, 5.1). The dOps box has the same
 * fields in the other byte order.
 */
export const writeOpusSampleEntry = (header: Buffer): { sampleEntry: Buffer; channels: number } => {
  if (header.length < 19 || !header.subarray(0, 8).equals(opusMagic))
    throw new IsobmffError('malformed', 'The Opus header does not follow RFC 7845.')
  const fields = new Fields(header)
  fields.skip(9)
  const channels = fields.u8()
  const configuration = Buffer.concat([
    Buffer.from([0, channels]),
    u16(header.readUInt16LE(10)),
    u32(header.readUInt32LE(12)),
    u16(header.readUInt16LE(16)),
    header.subarray(18),
  ])
  const sampleEntry = writeBox(
    'Opus',
    Buffer.alloc(6),
    u16(1),
    u32(0, 0),
    u16(channels, 16, 0, 0),
    u16(opusRateHz, 0),
    writeBox('dOps', configuration),
  )
  return { sampleEntry, channels }
}
