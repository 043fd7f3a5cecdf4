import type { SampleTable } from '../movie/sample-table.ts'
import { FieldWriter, fourCC } from '../boxes/field-writer.ts'

export interface SampleRange {
  readonly firstSample: number
  readonly sampleCount: number
}

export interface MediaSegment extends SampleRange {
  readonly sequenceNumber: number
  /** Decode time of the first sample, in ticks. Later decode times follow from the durations. */
  readonly baseDecodeTime: number
  /** Composition offsets must not be negative. */
  readonly table: SampleTable
  /** Sample bytes in order, split at arbitrary positions. */
  readonly data: readonly Buffer[]
  /** True for a later chunk of a segment, which has no styp (ISO/IEC 23000-19, 7.3.2.3). */
  readonly isContinuation?: boolean
  /** Defaults to 1, the id in a single-track segment. */
  readonly trackId?: number
}
const syncFlags = 0x0200_0000
const nonSyncFlags = 0x0101_0000

/**
 * Returns a CMAF segment of one fragment (ISO/IEC 23000-19, 7.3.2 and 7.3.3), or a chunk of a segment. The
 * first buffer contains styp, moof and the mdat header; `data` follows without a copy. Throws RangeError when
 * `data` does not match the table.
 */
export const writeMediaSegment = (segment: MediaSegment): Buffer[] => {
  const { table, data } = segment
  const layout = layOut(table, segment)
  const dataBytes = data.reduce((sum, part) => sum + part.length, 0)
  if (dataBytes !== layout.dataBytes) {
    throw new RangeError(`The samples have ${layout.dataBytes} bytes, but data has ${dataBytes}.`)
  }
  if (dataBytes > maxDataBytes) throw new RangeError(`A segment of ${dataBytes} bytes is too large.`)
  return [writeHead(segment, layout), ...data]
}

/** Returns the size of the segment that `writeMediaSegment` would write, and the end of its first sample. */
export const measureMediaSegment = (
  table: SampleTable,
  range: SampleRange,
): { sizeBytes: number; firstSampleEndBytes: number } => {
  const { headBytes, dataBytes } = layOut(table, range)
  return {
    sizeBytes: headBytes + dataBytes,
    firstSampleEndBytes: headBytes + table.sizes[range.firstSample]!,
  }
}

interface Layout {
  readonly dataBytes: number
  readonly headBytes: number
  /** Fields that all samples share are written once in the tfhd (ISO/IEC 14496-12, 8.8.7). */
  readonly commonDuration: number | undefined
  readonly commonFlags: number | undefined
  readonly hasComposition: boolean
}

const stypBytes = 28
const fixedMoofBytes = 8 + 16 + 8 + 16 + 20 + 20
const mdatHeaderBytes = 8
const fourCCs = {
  styp: fourCC('styp'),
  moof: fourCC('moof'),
  mfhd: fourCC('mfhd'),
  traf: fourCC('traf'),
  tfhd: fourCC('tfhd'),
  tfdt: fourCC('tfdt'),
  trun: fourCC('trun'),
  mdat: fourCC('mdat'),
}
/** Major brand, minor version and compatible brands. */
const stypFields = [fourCC('cmfs'), 0, fourCC('cmfs'), fourCC('cmff'), fourCC('msdh')]
/** Maximum of the 32-bit size field of the mdat. */
const maxDataBytes = 2 ** 32 - 1 - mdatHeaderBytes

const layOut = (table: SampleTable, { firstSample, sampleCount }: SampleRange): Layout => {
  const end = firstSample + sampleCount
  if (sampleCount < 1 || end > table.count)
    throw new RangeError(`Samples ${firstSample} to ${end} are not in the table.`)
  let dataBytes = 0
  let hasOneDuration = true
  let hasOneFlag = true
  let hasComposition = false
  for (let index = firstSample; index < end; index++) {
    dataBytes += table.sizes[index]!
    if (table.durations[index] !== table.durations[firstSample]) hasOneDuration = false
    if (table.isSync[index] !== table.isSync[firstSample]) hasOneFlag = false
    if (table.compositionOffsets[index] !== 0) hasComposition = true
  }
  const commonFields = Number(hasOneDuration) + Number(hasOneFlag)
  const entryBytes = 4 * (1 + (2 - commonFields) + Number(hasComposition))
  const headBytes = stypBytes + fixedMoofBytes + 4 * commonFields + entryBytes * sampleCount + mdatHeaderBytes
  return {
    dataBytes,
    headBytes,
    commonDuration: hasOneDuration ? table.durations[firstSample]! : undefined,
    commonFlags: hasOneFlag ? flagsOf(table, firstSample) : undefined,
    hasComposition,
  }
}

const flagsOf = (table: SampleTable, index: number) => (table.isSync[index] === 1 ? syncFlags : nonSyncFlags)

const defaultBaseIsMoof = 0x02_0000

/** One buffer of the final size, because a live node writes thousands of heads a second. */
const writeHead = (segment: MediaSegment, layout: Layout): Buffer => {
  const { table, firstSample, sampleCount } = segment
  const { headBytes, dataBytes, commonDuration, commonFlags, hasComposition } = layout
  const hasDuration = commonDuration === undefined
  const hasFlags = commonFlags === undefined
  const isContinuation = segment.isContinuation === true
  const moofBytes = headBytes - stypBytes - mdatHeaderBytes
  const writer = new FieldWriter(isContinuation ? headBytes - stypBytes : headBytes)
  const commonBytes = 4 * (Number(!hasDuration) + Number(!hasFlags))
  if (!isContinuation) {
    writer.box(stypBytes, fourCCs.styp)
    for (const value of stypFields) writer.u32(value)
  }
  writer.box(moofBytes, fourCCs.moof)
  writer.fullBox(16, fourCCs.mfhd, 0, 0)
  writer.u32(segment.sequenceNumber)
  writer.box(moofBytes - 8 - 16, fourCCs.traf)
  const tfhdFlags = defaultBaseIsMoof | (hasDuration ? 0 : 0x08) | (hasFlags ? 0 : 0x20)
  writer.fullBox(16 + commonBytes, fourCCs.tfhd, 0, tfhdFlags)
  writer.u32(segment.trackId ?? 1)
  if (!hasDuration) writer.u32(commonDuration)
  if (!hasFlags) writer.u32(commonFlags)
  writer.fullBox(20, fourCCs.tfdt, 1, 0)
  writer.u64(segment.baseDecodeTime)
  // trun version 1 (ISO/IEC 14496-12, 8.8.8): composition offsets are signed, although ours are never negative.
  const present =
    0x01 | 0x200 | (hasDuration ? 0x100 : 0) | (hasFlags ? 0x400 : 0) | (hasComposition ? 0x800 : 0)
  writer.fullBox(moofBytes - fixedMoofBytes - commonBytes + 20, fourCCs.trun, 1, present)
  writer.u32(sampleCount)
  writer.u32(headBytes - stypBytes)
  for (let index = firstSample; index < firstSample + sampleCount; index++) {
    const compositionOffset = table.compositionOffsets[index]!
    if (compositionOffset < 0) throw new RangeError(`Sample ${index} has a negative composition offset.`)
    if (hasDuration) writer.u32(table.durations[index]!)
    writer.u32(table.sizes[index]!)
    if (hasFlags) writer.u32(flagsOf(table, index))
    if (hasComposition) writer.u32(compositionOffset)
  }
  writer.box(mdatHeaderBytes + dataBytes, fourCCs.mdat)
  return writer.bytes
}
