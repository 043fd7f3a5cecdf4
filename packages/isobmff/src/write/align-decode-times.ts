import { findBox, readBoxes, requireBox, type Box } from '../boxes/box.ts'
import { readFullBox } from '../boxes/fields.ts'

const compositionOffsetsPresent = 0x800
/**
 * Flags of the trun (ISO/IEC 14496-12, 8.8.8), each of which adds four bytes. `headFields` extend the header;
 * `sampleFields` precede each composition offset.
 */
const headFields = [0x1, 0x4]
const sampleFields = [0x100, 0x200, 0x400]

const bytesOf = (flags: number, fields: readonly number[]): number =>
  4 * fields.filter((flag) => (flags & flag) !== 0).length

/**
 * Shifts the decode times of a single-run segment so that its first picture is decoded when it is presented.
 * Presentation times do not change, so later composition offsets may become negative (trun version 1).
 *
 * Players such as hls.js append segments of different sources by decode time and would otherwise leave a gap.
 * Modifies `segment` in place.
 */
export const alignDecodeTimes = (segment: Buffer): void => {
  const moof = requireBox(readBoxes(segment), 'moof')
  const traf = readBoxes(requireBox(readBoxes(moof.body), 'traf').body)
  const run = findBox(traf, 'trun')
  if (run === undefined) return
  const { flags, fields } = readFullBox(run.body)
  if ((flags & compositionOffsetsPresent) === 0) return
  const sampleCount = fields.entryCount(4)
  fields.skip(bytesOf(flags, headFields))
  const before = bytesOf(flags, sampleFields)
  const offsets = Array.from({ length: sampleCount }, () => {
    fields.skip(before)
    const at = fields.offset
    return { at, ticks: fields.i32() }
  })
  const shiftTicks = offsets[0]?.ticks ?? 0
  if (shiftTicks === 0) return
  for (const { at, ticks } of offsets) run.body.writeInt32BE(ticks - shiftTicks, at)
  run.body.writeUInt8(1, 0)
  shiftDecodeTime(requireBox(traf, 'tfdt'), shiftTicks)
}

const shiftDecodeTime = ({ body }: Box, ticks: number): void => {
  const { version, fields } = readFullBox(body)
  const at = fields.offset
  if (version === 1) body.writeBigUInt64BE(body.readBigUInt64BE(at) + BigInt(ticks), at)
  else body.writeUInt32BE(body.readUInt32BE(at) + ticks, at)
}
