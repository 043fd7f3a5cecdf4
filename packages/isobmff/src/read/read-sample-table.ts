import { findBox, requireBox, type Box } from '../boxes/box.ts'
import { readFullBox } from '../boxes/fields.ts'
import { IsobmffError } from '../boxes/isobmff-error.ts'
import {
  checkSamplesLieInFile,
  createSampleTable,
  type SampleBudget,
  type SampleTable,
} from '../movie/sample-table.ts'

/**
 * Reads the samples described by the boxes of an stbl (ISO/IEC 14496-12, 8.6 and 8.7). Returns an empty table
 * for raw audio, whose samples last one tick and share one size. Its table would take 29 bytes per 4 bytes of
 * audio.
 */
export const readSampleTable = (stbl: readonly Box[], budget: SampleBudget): SampleTable => {
  const sizes = readSampleSizes(stbl, budget.fileSizeBytes)
  if (sizes.count === 0 || (sizes.uniform > 0 && isOneTickASample(requireBox(stbl, 'stts')))) {
    return createSampleTable(0)
  }
  budget.spend(sizes.count)
  const table = createSampleTable(sizes.count)
  sizes.fill(table.sizes)
  fillTimes(table, requireBox(stbl, 'stts'))
  fillCompositionOffsets(table, findBox(stbl, 'ctts'))
  fillSyncSamples(table, findBox(stbl, 'stss'))
  fillOffsets(table, stbl)
  checkSamplesLieInFile(table, budget.fileSizeBytes)
  return table
}

interface SampleSizes {
  readonly count: number
  /** Size of every sample, or 0 when sizes differ. */
  readonly uniform: number
  readonly fill: (sizes: Uint32Array) => void
}

const readSampleSizes = (stbl: readonly Box[], fileSizeBytes: number): SampleSizes => {
  const stsz = findBox(stbl, 'stsz')
  if (stsz === undefined) return readCompactSampleSizes(requireBox(stbl, 'stz2'))
  const { fields } = readFullBox(stsz.body)
  const uniform = fields.u32()
  if (uniform > 0) {
    const count = fields.u32()
    if (count * uniform > fileSizeBytes) {
      throw new IsobmffError(
        'malformed',
        `${count} samples of ${uniform} bytes exceed the file size of ${fileSizeBytes} bytes.`,
      )
    }
    return { count, uniform, fill: (sizes) => void sizes.fill(uniform) }
  }
  const count = fields.entryCount(4)
  return { count, uniform: 0, fill: (sizes) => sizes.set(fields.u32s(count)) }
}

/** stz2 (ISO/IEC 14496-12, 8.7.3.3): sizes of 4, 8 or 16 bits. */
const readCompactSampleSizes = (stz2: Box): SampleSizes => {
  const { fields } = readFullBox(stz2.body)
  const fieldBits = fields.u32() & 0xff
  if (fieldBits !== 4 && fieldBits !== 8 && fieldBits !== 16) {
    throw new IsobmffError('malformed', `A sample size field must have 4, 8 or 16 bits, not ${fieldBits}.`)
  }
  const count = fields.entryCount(fieldBits / 8)
  const { bytes, offset } = fields
  const sizeOf = (index: number) => {
    if (fieldBits === 16) return bytes.readUInt16BE(offset + index * 2)
    if (fieldBits === 8) return bytes.readUInt8(offset + index)
    const pair = bytes.readUInt8(offset + (index >> 1))
    return index % 2 === 0 ? pair >> 4 : pair & 0x0f
  }
  const fill = (sizes: Uint32Array) => {
    for (let index = 0; index < count; index++) sizes[index] = sizeOf(index)
  }
  return { count, uniform: 0, fill }
}

const isOneTickASample = (stts: Box): boolean => {
  const { fields } = readFullBox(stts.body)
  if (fields.entryCount(8) !== 1) return false
  fields.skip(4)
  return fields.u32() === 1
}

/** stts (ISO/IEC 14496-12, 8.6.1.2): runs of samples with the same duration. */
const fillTimes = (table: SampleTable, stts: Box): void => {
  const { fields } = readFullBox(stts.body)
  const runs = fields.u32s(2 * fields.entryCount(8))
  let decodeTime = 0
  let index = 0
  for (let run = 0; run < runs.length && index < table.count; run += 2) {
    const runEnd = Math.min(table.count, index + runs[run]!)
    const duration = runs[run + 1]!
    for (; index < runEnd; index++) {
      table.decodeTimes[index] = decodeTime
      table.durations[index] = duration
      decodeTime += duration
    }
  }
  if (index < table.count) {
    throw new IsobmffError('malformed', `Only ${index} of ${table.count} samples have a duration.`)
  }
}

/**
 * ctts (ISO/IEC 14496-12, 8.6.1.3). Version 0 is unsigned in the standard, but writers also store negative
 * offsets in it. No real offset needs the 32nd bit. Samples that the box omits keep the offset 0.
 */
const fillCompositionOffsets = (table: SampleTable, ctts: Box | undefined): void => {
  if (ctts === undefined) return
  const { fields } = readFullBox(ctts.body)
  const runs = fields.u32s(2 * fields.entryCount(8))
  let index = 0
  for (let run = 0; run < runs.length && index < table.count; run += 2) {
    const runEnd = Math.min(table.count, index + runs[run]!)
    const offset = runs[run + 1]! | 0
    // Runs are short where pictures are reordered, and a call of `fill` costs as much as 20 of these steps.
    for (; index < runEnd; index++) table.compositionOffsets[index] = offset
  }
}

/** stss (ISO/IEC 14496-12, 8.6.2): without this box, every sample is a sync sample. */
const fillSyncSamples = (table: SampleTable, stss: Box | undefined): void => {
  if (stss === undefined) {
    table.isSync.fill(1)
    return
  }
  const { fields } = readFullBox(stss.body)
  for (const sampleNumber of fields.u32s(fields.entryCount(4))) {
    if (sampleNumber < 1 || sampleNumber > table.count) {
      throw new IsobmffError('malformed', `Sync sample ${sampleNumber} of ${table.count} does not exist.`)
    }
    table.isSync[sampleNumber - 1] = 1
  }
}

/** stsc and stco (ISO/IEC 14496-12, 8.7.4 and 8.7.5): the samples of a chunk are contiguous. */
const fillOffsets = (table: SampleTable, stbl: readonly Box[]): void => {
  const chunkOffsets = readChunkOffsets(stbl)
  const { fields } = readFullBox(requireBox(stbl, 'stsc').body)
  const runs = fields.u32s(3 * fields.entryCount(12))
  let samplesPerChunk = 0
  let run = 0
  let index = 0
  for (let chunk = 0; chunk < chunkOffsets.length && index < table.count; chunk++) {
    for (; run < runs.length && runs[run]! <= chunk + 1; run += 3) samplesPerChunk = runs[run + 1]!
    let offset = chunkOffsets[chunk]!
    for (const chunkEnd = Math.min(table.count, index + samplesPerChunk); index < chunkEnd; index++) {
      table.offsets[index] = offset
      offset += table.sizes[index]!
    }
  }
  if (index < table.count) {
    throw new IsobmffError('malformed', `Only ${index} of ${table.count} samples belong to a chunk.`)
  }
}

const readChunkOffsets = (stbl: readonly Box[]): Uint32Array | Float64Array => {
  const stco = findBox(stbl, 'stco')
  const { fields } = readFullBox((stco ?? requireBox(stbl, 'co64')).body)
  if (stco !== undefined) return fields.u32s(fields.entryCount(4))
  return Float64Array.from({ length: fields.entryCount(8) }, () => fields.u64())
}
