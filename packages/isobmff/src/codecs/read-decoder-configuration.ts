import { findBox, readBoxes } from '../boxes/box.ts'
import { readElementaryStream } from './codec-string.ts'
import { IsobmffError } from '../boxes/isobmff-error.ts'
import { ascii } from '../boxes/write-box.ts'

/**
 * Bytes of a sample entry before its child boxes, including its header (ISO/IEC 14496-12, 12.1.3 and 12.2.3).
 */
export const visualHeadBytes = 8 + 78
const audioHeadBytes = 8 + 28

/**
 * Returns the decoder configuration of a sample entry in the form that RTMP uses, or null for other codecs.
 * This is an avcC, hvcC or av1C body, an AudioSpecificConfig, or an Opus identification header (RFC 7845,
 * 5.1).
 */
export const readDecoderConfiguration = (fourCC: string, sampleEntry: Buffer): Buffer | null => {
  switch (fourCC) {
    case 'avc1':
      return bodyOf('avcC', sampleEntry.subarray(visualHeadBytes))
    case 'hvc1':
      return bodyOf('hvcC', sampleEntry.subarray(visualHeadBytes))
    case 'av01':
      return bodyOf('av1C', sampleEntry.subarray(visualHeadBytes))
    case 'mp4a':
      return readElementaryStream(bodyOf('esds', sampleEntry.subarray(audioHeadBytes)))?.configuration ?? null
    case 'Opus':
      return opusHeader(bodyOf('dOps', sampleEntry.subarray(audioHeadBytes)))
    default:
      return null
  }
}

const bodyOf = (type: string, boxes: Buffer): Buffer => {
  const box = findBox(readBoxes(boxes), type)
  if (box === undefined) throw new IsobmffError('malformed', `A sample entry has no ${type} box.`)
  return box.body
}

/** Inverse of `writeOpusSampleEntry`: the same fields in the other byte order. */
const opusHeader = (configuration: Buffer): Buffer => {
  if (configuration.length < 11) throw new IsobmffError('malformed', 'A dOps box is too short.')
  const header = Buffer.alloc(8)
  header.writeUInt16LE(configuration.readUInt16BE(2), 0)
  header.writeUInt32LE(configuration.readUInt32BE(4), 2)
  header.writeUInt16LE(configuration.readUInt16BE(8), 6)
  const version = Buffer.of(1, configuration[1]!)
  return Buffer.concat([ascii('OpusHead'), version, header, configuration.subarray(10)])
}
