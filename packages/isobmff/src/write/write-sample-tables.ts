import type { SampleTable } from '../movie/sample-table.ts'
import { u32, writeFullBox } from '../boxes/write-box.ts'

/**
 * Returns the sample boxes of an stbl (ISO/IEC 14496-12, 8.6 and 8.7) except the chunk offsets. `chunks`
 * lists the sample count of each chunk.
 */
export const writeSampleTables = (samples: SampleTable, chunks: readonly number[]): Buffer[] => [
  writeFullBox('stts', 0, 0, runs(samples.durations)),
  ...(samples.compositionOffsets.some((offset) => offset !== 0)
    ? [writeFullBox('ctts', 0, 0, runs(samples.compositionOffsets))]
    : []),
  ...(samples.isSync.every((isSync) => isSync === 1) ? [] : [syncSamples(samples)]),
  sampleSizes(samples),
  samplesPerChunk(chunks),
]

/** Returns an stco, or a co64 when offsets exceed 32 bits. */
export const writeChunkOffsets = (offsets: readonly number[], isLong: boolean): Buffer => {
  const table = Buffer.alloc(4 + offsets.length * (isLong ? 8 : 4))
  table.writeUInt32BE(offsets.length, 0)
  for (const [index, offset] of offsets.entries()) {
    if (isLong) table.writeBigUInt64BE(BigInt(offset), 4 + index * 8)
    else table.writeUInt32BE(offset, 4 + index * 4)
  }
  return writeFullBox(isLong ? 'co64' : 'stco', 0, 0, table)
}

/** Converts values to big-endian bytes in one call, because a film has half a million of them. */
const bigEndian = (values: Uint32Array): Buffer =>
  Buffer.from(values.buffer, values.byteOffset, values.byteLength).swap32()

/** Run-length encodes the values: the number of runs, then a count and a value for each run. */
const runs = (values: Uint32Array | Int32Array): Buffer => {
  const table = new Uint32Array(1 + values.length * 2)
  let count = 0
  for (let index = 0; index < values.length; index++) {
    if (index === 0 || values[index] !== values[index - 1]) table[2 + 2 * count++] = values[index]!
    table[2 * count - 1]!++
  }
  table[0] = count
  return bigEndian(table.subarray(0, 1 + count * 2))
}

const syncSamples = ({ isSync, count }: SampleTable): Buffer => {
  const table = new Uint32Array(1 + count)
  let found = 0
  for (let index = 0; index < count; index++) {
    if (isSync[index] === 1) table[++found] = index + 1
  }
  table[0] = found
  return writeFullBox('stss', 0, 0, bigEndian(table.subarray(0, 1 + found)))
}

const sampleSizes = ({ sizes, count }: SampleTable): Buffer =>
  writeFullBox('stsz', 0, 0, u32(0, count), bigEndian(sizes.slice()))

/** Run-length encodes chunks with the same sample count. All use one sample description. */
const samplesPerChunk = (chunks: readonly number[]): Buffer => {
  const entries = chunks.flatMap((count, index) =>
    index > 0 && chunks[index - 1] === count ? [] : [u32(index + 1, count, 1)],
  )
  return writeFullBox('stsc', 0, 0, u32(entries.length), ...entries)
}
