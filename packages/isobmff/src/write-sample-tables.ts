import type { SampleTable } from './sample-table.ts'
import { u32, writeFullBox } from './write-box.ts'

/** The boxes of an stbl that tell of samples (ISO/IEC 14496-12, 8.6 and 8.7), but for where the chunks lie. `chunks`: how many samples each holds. */
export const writeSampleTables = (samples: SampleTable, chunks: readonly number[]): Buffer[] => [
  writeFullBox('stts', 0, 0, runs(samples.durations)),
  ...(samples.compositionOffsets.some((offset) => offset !== 0)
    ? [writeFullBox('ctts', 0, 0, runs(samples.compositionOffsets))]
    : []),
  ...(samples.isSync.every((isSync) => isSync === 1) ? [] : [syncSamples(samples)]),
  sampleSizes(samples),
  samplesPerChunk(chunks),
]

/** stco or, where 32 bits are too few, co64. */
export const writeChunkOffsets = (offsets: readonly number[], isLong: boolean): Buffer => {
  const table = Buffer.alloc(4 + offsets.length * (isLong ? 8 : 4))
  table.writeUInt32BE(offsets.length, 0)
  for (const [index, offset] of offsets.entries()) {
    if (isLong) table.writeBigUInt64BE(BigInt(offset), 4 + index * 8)
    else table.writeUInt32BE(offset, 4 + index * 4)
  }
  return writeFullBox(isLong ? 'co64' : 'stco', 0, 0, table)
}

/** The bytes of numbers as boxes have them, most significant first. A film has half a million of them: one by one they would take too long. */
const bigEndian = (values: Uint32Array): Buffer =>
  Buffer.from(values.buffer, values.byteOffset, values.byteLength).swap32()

/** Runs of equal values: their count, then for each how many there are and the value. */
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

/** Runs of chunks with as many samples; all have the one sample description. */
const samplesPerChunk = (chunks: readonly number[]): Buffer => {
  const entries = chunks.flatMap((count, index) =>
    index > 0 && chunks[index - 1] === count ? [] : [u32(index + 1, count, 1)],
  )
  return writeFullBox('stsc', 0, 0, u32(entries.length), ...entries)
}
