import { IsobmffError } from '../boxes/isobmff-error.ts'

/** Samples in decoding order, stored as columns. Times are in ticks of the track's timescale. */
export interface SampleTable {
  readonly count: number
  /** Relative to the start of the file, or of the fragment's data. */
  readonly offsets: Float64Array
  readonly sizes: Uint32Array
  readonly decodeTimes: Float64Array
  readonly durations: Uint32Array
  /** Presentation time minus decode time; may be negative (ctts version 1). */
  readonly compositionOffsets: Int32Array
  readonly isSync: Uint8Array
}

export const createSampleTable = (count: number): SampleTable => ({
  count,
  offsets: new Float64Array(count),
  sizes: new Uint32Array(count),
  decodeTimes: new Float64Array(count),
  durations: new Uint32Array(count),
  compositionOffsets: new Int32Array(count),
  isSync: new Uint8Array(count),
})

const bytesPerSample = 8 + 4 + 8 + 4 + 4 + 1

export const sampleTableBytes = (table: SampleTable): number => table.count * bytesPerSample

/**
 * 12 h of video at 120 frames/s with audio have 7.2 million samples. This maximum takes 243 MB and is shared
 * by all tracks of a file.
 */
const maxSamplesPerMovie = 2 ** 23

/** Limits the samples that a file may claim. Samples are counted before memory is allocated for them. */
export class SampleBudget {
  readonly fileSizeBytes: number
  readonly #maxSamples: number
  #samplesLeft: number

  constructor(fileSizeBytes: number, maxSamples = maxSamplesPerMovie) {
    this.fileSizeBytes = fileSizeBytes
    this.#maxSamples = maxSamples
    this.#samplesLeft = maxSamples
  }

  spend(count: number): void {
    this.#samplesLeft -= count
    if (this.#samplesLeft < 0) {
      throw new IsobmffError('too_large', `The file has more than ${this.#maxSamples} samples.`)
    }
  }
}

/**
 * Concatenates tables without changing offsets. The last duration before each table absorbs a gap or overlap.
 * Throws `malformed` when a table starts before that sample.
 */
export const joinSampleTables = (tables: readonly SampleTable[]): SampleTable => {
  const [only, ...others] = tables
  if (only !== undefined && others.length === 0) return only
  const joined = createSampleTable(tables.reduce((sum, table) => sum + table.count, 0))
  let at = 0
  for (const table of tables) {
    joined.offsets.set(table.offsets, at)
    joined.sizes.set(table.sizes, at)
    joined.decodeTimes.set(table.decodeTimes, at)
    joined.durations.set(table.durations, at)
    joined.compositionOffsets.set(table.compositionOffsets, at)
    joined.isSync.set(table.isSync, at)
    if (at > 0 && table.count > 0) joined.durations[at - 1] = ticksBetween(joined.decodeTimes, at)
    at += table.count
  }
  return joined
}

const ticksBetween = (decodeTimes: Float64Array, index: number): number => {
  const ticks = decodeTimes[index]! - decodeTimes[index - 1]!
  if (ticks < 0 || ticks > 0xffff_ffff) {
    throw new IsobmffError('malformed', 'Fragments are not in time order.')
  }
  return ticks
}

/**
 * Checks that samples lie inside the file and do not exceed its size in total. Overlapping samples would let
 * a small file produce unlimited output.
 */
export const checkSamplesLieInFile = (table: SampleTable, fileSizeBytes: number): void => {
  let totalBytes = 0
  for (let index = 0; index < table.count; index++) {
    const size = table.sizes[index]!
    totalBytes += size
    if (table.offsets[index]! + size > fileSizeBytes) {
      throw new IsobmffError(
        'truncated',
        `Sample ${index + 1} of ${table.count} is past the end of the file.`,
      )
    }
  }
  if (totalBytes > fileSizeBytes) {
    throw new IsobmffError(
      'malformed',
      `The samples have ${totalBytes} bytes, more than the file with ${fileSizeBytes}.`,
    )
  }
}
