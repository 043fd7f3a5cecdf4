import type { SegmentStore, StoredWindow } from '../src/index.ts'

export class MemoryStore implements SegmentStore {
  readonly #bytes = new Map<string, Buffer>()
  readonly #periods: StoredWindow['periods'][number][] = []
  readonly #segments: StoredWindow['segments'][number][] = []
  #firstNumber = 0
  isFailing = false

  addPeriod: SegmentStore['addPeriod'] = (period) => void this.#periods.push(period)
  addSegment: SegmentStore['addSegment'] = (track, segment) => {
    if (this.isFailing) return
    this.#segments.push({ track, segment: { ...segment, parts: [] }, hasBytes: !segment.isGap })
    const bytes = Buffer.concat(segment.parts.map(({ data }) => data))
    if (!segment.isGap) this.#bytes.set(`${track} ${segment.number}`, bytes)
  }
  has: SegmentStore['has'] = (track, number) => this.#bytes.has(`${track} ${number}`)
  read: SegmentStore['read'] = async (track, number) => this.#bytes.get(`${track} ${number}`)!
  firstNumber: SegmentStore['firstNumber'] = () => this.#firstNumber
  dropBefore: SegmentStore['dropBefore'] = () => {}

  shorten(firstNumber: number): void {
    this.#firstNumber = firstNumber
  }

  /** What another process finds at this moment. */
  copy(): MemoryStore {
    const copy = new MemoryStore()
    for (const [key, bytes] of this.#bytes) copy.#bytes.set(key, bytes)
    copy.#periods.push(...this.#periods)
    copy.#segments.push(...this.#segments)
    return copy
  }

  left(isThere: (item: StoredWindow['segments'][number]) => boolean = () => true): StoredWindow {
    return { periods: this.#periods, segments: this.#segments.filter(isThere) }
  }
}
