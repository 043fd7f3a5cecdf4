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

/** `count` values, written as runs of equal ones: how many there are, then the value. */
const runs = (values: ArrayLike<number>): Buffer => {
  const table = Buffer.alloc(4 + values.length * 8)
  let at = -4
  for (let index = 0; index < values.length; index++) {
    if (index > 0 && values[index] === values[index - 1]) {
      table.writeUInt32BE(table.readUInt32BE(at) + 1, at)
      continue
    }
    at += 8
    table.writeUInt32BE(1, at)
    table.writeUInt32BE(values[index]!, at + 4)
  }
  const end = at + 8
  table.writeUInt32BE((end - 4) / 8, 0)
  return table.subarray(0, end)
}

const syncSamples = ({ isSync, count }: SampleTable): Buffer => {
  const table = Buffer.alloc(4 + count * 4)
  let found = 0
  for (let index = 0; index < count; index++) {
    if (isSync[index] === 1) table.writeUInt32BE(index + 1, 4 * ++found)
  }
  table.writeUInt32BE(found, 0)
  return writeFullBox('stss', 0, 0, table.subarray(0, 4 + found * 4))
}

const sampleSizes = ({ sizes, count }: SampleTable): Buffer => {
  const table = Buffer.alloc(8 + count * 4)
  table.writeUInt32BE(count, 4)
  for (let index = 0; index < count; index++) table.writeUInt32BE(sizes[index]!, 8 + index * 4)
  return writeFullBox('stsz', 0, 0, table)
}

/** Runs of chunks with as many samples; all have the one sample description. */
const samplesPerChunk = (chunks: readonly number[]): Buffer => {
  const entries = chunks.flatMap((count, index) =>
    index > 0 && chunks[index - 1] === count ? [] : [u32(index + 1, count, 1)],
  )
  return writeFullBox('stsc', 0, 0, u32(entries.length), ...entries)
}
