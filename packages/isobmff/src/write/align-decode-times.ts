/** No imports and no Buffer: the player runs this file in browsers. */
const compositionOffsetsPresent = 0x800
/**
 * Flags of the trun (ISO/IEC 14496-12, 8.8.8), each of which adds four bytes. `headFields` extend the header;
 * `sampleFields` precede each composition offset.
 */
const headFields = [0x1, 0x4]
const sampleFields = [0x100, 0x200, 0x400]
const boxHeaderBytes = 8
const fullBoxHeaderBytes = 12

const bytesOf = (flags: number, fields: readonly number[]): number =>
  4 * fields.filter((flag) => (flags & flag) !== 0).length

/** Returns the first box of this type between the two offsets, with its header. */
const findBox = (view: DataView, type: string, from: number, to: number): DataView | null => {
  const letters = Uint8Array.from({ length: 4 }, (_, index) => type.charCodeAt(index))
  const code = new DataView(letters.buffer).getUint32(0)
  for (let at = from; at + boxHeaderBytes <= to;) {
    const sizeBytes = view.getUint32(at)
    // A 64-bit size (1) occurs only for mdat, which follows moof.
    if (sizeBytes < boxHeaderBytes || at + sizeBytes > to) return null
    if (view.getUint32(at + 4) === code) return new DataView(view.buffer, view.byteOffset + at, sizeBytes)
    at += sizeBytes
  }
  return null
}

const findInside = (box: DataView | null, type: string): DataView | null =>
  box === null ? null : findBox(box, type, boxHeaderBytes, box.byteLength)

/**
 * Shifts the decode times of a single-run segment so that its first picture is decoded when it is presented.
 * Presentation times do not change, so later composition offsets may become negative (trun version 1).
 *
 * Players such as hls.js place segments by decode time and would otherwise leave a gap before the first picture.
 * Modifies `segment` in place. Bytes without a moof, such as an init segment, stay as they are.
 */
export const alignDecodeTimes = (segment: Uint8Array): void => {
  const view = new DataView(segment.buffer, segment.byteOffset, segment.byteLength)
  const traf = findInside(findBox(view, 'moof', 0, view.byteLength), 'traf')
  const decodeTime = findInside(traf, 'tfdt')
  const run = findInside(traf, 'trun')
  if (decodeTime === null || run === null) return
  const flags = run.getUint32(boxHeaderBytes) & 0xff_ff_ff
  if ((flags & compositionOffsetsPresent) === 0) return
  const sampleCount = run.getUint32(fullBoxHeaderBytes)
  const beforeBytes = bytesOf(flags, sampleFields)
  const sampleBytes = beforeBytes + 4
  const firstOffset = fullBoxHeaderBytes + 4 + bytesOf(flags, headFields) + beforeBytes
  if (sampleCount === 0 || firstOffset + (sampleCount - 1) * sampleBytes + 4 > run.byteLength) return
  const shiftTicks = run.getInt32(firstOffset)
  if (shiftTicks === 0) return
  for (let index = 0; index < sampleCount; index++) {
    const at = firstOffset + index * sampleBytes
    run.setInt32(at, run.getInt32(at) - shiftTicks)
  }
  run.setUint8(boxHeaderBytes, 1)
  shiftDecodeTime(decodeTime, shiftTicks)
}

const shiftDecodeTime = (box: DataView, ticks: number): void => {
  const at = fullBoxHeaderBytes
  if (box.getUint8(boxHeaderBytes) === 1) box.setBigUint64(at, box.getBigUint64(at) + BigInt(ticks))
  else box.setUint32(at, box.getUint32(at) + ticks)
}
