import {
  createSampleTable,
  findMoofEnd,
  IsobmffError,
  readMediaSegmentHead,
  writeMediaSegment,
  type SampleTable,
} from '@zoetrope/isobmff'

export interface OpenSegment {
  readonly bytes: Buffer
  readonly table: SampleTable
}

export const openSegment = (bytes: Buffer): OpenSegment => {
  const moofEnd = findMoofEnd(bytes)
  if (moofEnd === undefined || moofEnd > bytes.length)
    throw new IsobmffError('truncated', 'A segment ends inside its index.')
  return { bytes, table: readMediaSegmentHead(bytes.subarray(0, moofEnd), bytes.length) }
}

const presentationTime = ({ decodeTimes, compositionOffsets }: SampleTable, sample: number): number =>
  decodeTimes[sample]! + compositionOffsets[sample]!

/**
 * Returns the sample displayed at this time: the last one presented at or before it, or else the first one.
 */
export const sampleShownAt = ({ table }: OpenSegment, ticks: number): number => {
  let shown = -1
  let first = 0
  for (let sample = 0; sample < table.count; sample++) {
    const time = presentationTime(table, sample)
    if (time < presentationTime(table, first)) first = sample
    if (time <= ticks && (shown === -1 || time > presentationTime(table, shown))) shown = sample
  }
  return shown === -1 ? first : shown
}

export const shownFrom = ({ table }: OpenSegment, sample: number): number => presentationTime(table, sample)

/** H.264 and H.265 allow no more. */
const maxReorderedFrames = 16

/** Returns the largest number of frames that are decoded before a frame and displayed after it. */
export const reorderDepth = ({ table }: OpenSegment): number => {
  let deepest = 0
  for (let sample = 1; sample < table.count; sample++) {
    let later = 0
    for (let before = Math.max(0, sample - maxReorderedFrames); before < sample; before++)
      if (presentationTime(table, before) > presentationTime(table, sample)) later++
    deepest = Math.max(deepest, later)
  }
  return deepest
}

/**
 * Returns the key frame at which decoding must start. A key frame presented after the sample cannot be used.
 */
const keyFrameBefore = (table: SampleTable, sample: number): number => {
  for (let at = sample; at > 0; at--)
    if (table.isSync[at] === 1 && presentationTime(table, at) <= presentationTime(table, sample)) return at
  return 0
}

/** ITU-T H.264 7.3.1: nal_ref_idc is 0 in each slice of a picture that is not used for reference. */
const isDisposable = (sample: Buffer): boolean => {
  let hasSlice = false
  for (let at = 0; at + 5 <= sample.length;) {
    const unitBytes = sample.readUInt32BE(at)
    const header = sample[at + 4]!
    const type = header & 0x1f
    if (unitBytes === 0 || at + 4 + unitBytes > sample.length) return false
    if (type >= 1 && type <= 5) {
      if ((header & 0x60) !== 0) return false
      hasSlice = true
    }
    at += 4 + unitBytes
  }
  return hasSlice
}

const bytesOf = ({ bytes, table }: OpenSegment, sample: number): Buffer =>
  bytes.subarray(table.offsets[sample], table.offsets[sample]! + table.sizes[sample]!)

const writeSamples = (segment: OpenSegment, chosen: readonly number[], shiftTicks: number): Buffer => {
  const { table } = segment
  const written = createSampleTable(chosen.length)
  // Served segments are decoded when their first frame is shown, so composition offsets can be negative; `writeMediaSegment` takes none.
  const delayTicks = Math.max(0, ...chosen.map((sample) => -table.compositionOffsets[sample]!))
  for (const [index, sample] of chosen.entries()) {
    const next = chosen[index + 1]
    written.sizes[index] = table.sizes[sample]!
    written.decodeTimes[index] = table.decodeTimes[sample]! + shiftTicks - delayTicks
    written.durations[index] =
      next === undefined ? table.durations[sample]! : table.decodeTimes[next]! - table.decodeTimes[sample]!
    written.compositionOffsets[index] = table.compositionOffsets[sample]! + delayTicks
    written.isSync[index] = table.isSync[sample]!
  }
  const parts = writeMediaSegment({
    sequenceNumber: 1,
    baseDecodeTime: written.decodeTimes[0]!,
    table: written,
    firstSample: 0,
    sampleCount: chosen.length,
    data: chosen.map((sample) => bytesOf(segment, sample)),
  })
  return Buffer.concat(parts)
}

/**
 * Returns only the samples needed to decode one picture, starting at its key frame. For H.264, pictures that
 * are not used for reference are omitted.
 */
export const cutToFrame = (
  segment: OpenSegment,
  sample: number,
  { isAvc, shiftTicks }: { readonly isAvc: boolean; readonly shiftTicks: number },
): Buffer => {
  const chosen: number[] = []
  for (let at = keyFrameBefore(segment.table, sample); at <= sample; at++)
    if (at === sample || !isAvc || !isDisposable(bytesOf(segment, at))) chosen.push(at)
  return writeSamples(segment, chosen, shiftTicks)
}

/** Returns the segment from the key frame required by `sample` to the end. */
export const cutFromFrame = (segment: OpenSegment, sample: number, shiftTicks: number): Buffer => {
  const first = keyFrameBefore(segment.table, sample)
  const chosen = Array.from({ length: segment.table.count - first }, (_none, index) => first + index)
  return writeSamples(segment, chosen, shiftTicks)
}
