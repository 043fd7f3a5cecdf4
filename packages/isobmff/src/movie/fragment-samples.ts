import { IsobmffError } from '../boxes/isobmff-error.ts'
import { createSampleTable, type SampleBudget, type SampleTable } from './sample-table.ts'

export class FragmentSamples {
  readonly #budget: SampleBudget
  #table = createSampleTable(0)
  #count = 0
  #endTicks = 0

  constructor(budget: SampleBudget, first?: SampleTable) {
    this.#budget = budget
    if (first === undefined || first.count === 0) return
    this.#table = first
    this.#count = first.count
    this.#endTicks = first.decodeTimes[first.count - 1]! + first.durations[first.count - 1]!
  }

  get count(): number {
    return this.#count
  }

  /**
   * Sets the decode time (tfdt) of the next fragment. The previous sample's duration absorbs a gap or
   * overlap, as it does in a player.
   */
  startAt(decodeTimeTicks: number): void {
    if (this.#count > 0) {
      const last = this.#count - 1
      const durationTicks = decodeTimeTicks - this.#table.decodeTimes[last]!
      if (durationTicks < 0 || durationTicks > 0xffff_ffff) {
        throw new IsobmffError('malformed', 'Fragments are not in time order.')
      }
      this.#table.durations[last] = durationTicks
    }
    this.#endTicks = decodeTimeTicks
  }

  /**
   * Allocates space for `count` more samples. The caller checks the count against the file size before it
   * calls `push`.
   */
  reserve(count: number): void {
    this.#budget.spend(count)
    const needed = this.#count + count
    if (needed <= this.#table.count) return
    const grown = createSampleTable(Math.max(needed, this.#table.count * 2, 256))
    copyInto(grown, this.#table, this.#count)
    this.#table = grown
  }

  push(
    offset: number,
    sizeBytes: number,
    durationTicks: number,
    compositionOffset: number,
    isSync: boolean,
  ): void {
    const index = this.#count++
    const table = this.#table
    table.offsets[index] = offset
    table.sizes[index] = sizeBytes
    table.decodeTimes[index] = this.#endTicks
    table.durations[index] = durationTicks
    table.compositionOffsets[index] = compositionOffset
    table.isSync[index] = isSync ? 1 : 0
    this.#endTicks += durationTicks
  }

  toTable(): SampleTable {
    if (this.#table.count === this.#count) return this.#table
    const exact = createSampleTable(this.#count)
    copyInto(exact, this.#table, this.#count)
    return exact
  }
}

const copyInto = (target: SampleTable, source: SampleTable, count: number): void => {
  target.offsets.set(source.offsets.subarray(0, count))
  target.sizes.set(source.sizes.subarray(0, count))
  target.decodeTimes.set(source.decodeTimes.subarray(0, count))
  target.durations.set(source.durations.subarray(0, count))
  target.compositionOffsets.set(source.compositionOffsets.subarray(0, count))
  target.isSync.set(source.isSync.subarray(0, count))
}
