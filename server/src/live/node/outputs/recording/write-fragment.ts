import {
  findMoofEnd,
  joinSampleTables,
  readMediaSegmentHead,
  writeMediaSegment,
  type SampleTable,
} from '@zoetrope/isobmff'

export interface SegmentSamples {
  readonly table: SampleTable
  /** The bytes of the samples, without a copy. */
  readonly data: readonly Buffer[]
}

const mdatHeaderBytes = 8

/**
 * Reads the samples of a whole segment, given in one piece or cut between its parts. Returns null for a
 * segment without samples.
 */
export const readSamples = (pieces: readonly Buffer[]): SegmentSamples | null => {
  const tables: SampleTable[] = []
  const data: Buffer[] = []
  for (const piece of pieces) {
    for (let rest = piece; rest.length > 0;) {
      const headEnd = findMoofEnd(rest)
      if (headEnd === undefined) break
      const mdatEnd = headEnd + rest.readUInt32BE(headEnd)
      tables.push(readMediaSegmentHead(rest.subarray(0, headEnd), mdatEnd))
      data.push(rest.subarray(headEnd + mdatHeaderBytes, mdatEnd))
      rest = rest.subarray(mdatEnd)
    }
  }
  return tables.length === 0 ? null : { table: joinSampleTables(tables), data }
}

export const writeFragment = (
  { table, data }: SegmentSamples,
  { trackId, sequenceNumber }: { readonly trackId: number; readonly sequenceNumber: number },
): Buffer[] =>
  writeMediaSegment({
    trackId,
    sequenceNumber,
    baseDecodeTime: table.decodeTimes[0]!,
    table,
    firstSample: 0,
    sampleCount: table.count,
    data,
    isContinuation: true,
  })
