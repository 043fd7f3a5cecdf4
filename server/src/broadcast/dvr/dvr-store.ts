import type { LiveSegment, SegmentStore, TrackStretch } from '@zoetrope/live'
import {
  appendBytes,
  appendLine,
  blockOf,
  journalPath,
  mediaPath,
  readBytes,
  removeBlock,
  segmentsPerBlock,
  type BytePlace,
} from './block-files.ts'
import type { DvrDisk } from './dvr-disk.ts'
import { writeSegment, writeStretch, type StoredBlock } from './journal.ts'

export type DvrWarningCode = 'dvr_shortened' | 'dvr_unavailable'

export interface DvrStoreOptions {
  readonly disk: DvrDisk
  readonly folder: string
  /** Without, only what another process needs to go on is kept. */
  readonly keepsBytes: boolean
  readonly now: () => number
  readonly onWarning: (code: DvrWarningCode, message: string) => void
}

/** A disk that lags behind by more than this stalls. */
const mostQueuedBytes = 32 * 2 ** 20

interface Block {
  sizeBytes: number
  readonly beganAtMs: number
  /** Which stretches its journal tells of. */
  readonly stretches: Set<string>
  readonly places: Map<string, BytePlace>
}

/** The window of one broadcast on disk. What cannot be written stays in the packager's memory, and is no reason to end anything. */
export class DvrStore implements SegmentStore {
  readonly #options: DvrStoreOptions
  readonly #blocks = new Map<number, Block>()
  readonly #reads = new Map<string, Promise<Buffer>>()
  /** By track: what its next segments belong to. */
  readonly #stretches = new Map<string, TrackStretch>()
  #queue: Promise<void> = Promise.resolve()
  #queuedBytes = 0
  #firstNumber = 0

  constructor(options: DvrStoreOptions, left: readonly StoredBlock[]) {
    this.#options = options
    for (const { block, sizeBytes, writtenAtMs, segments } of left) {
      const places = new Map(
        segments.flatMap(({ track, segment, place }) =>
          place ? [[keyOf(track, segment.number), place] as const] : [],
        ),
      )
      this.#blocks.set(block, { sizeBytes, beganAtMs: writtenAtMs, stretches: new Set(), places })
    }
  }

  addStretch = (stretch: TrackStretch): void => {
    this.#stretches.set(stretch.track, stretch)
  }

  addSegment = (track: string, segment: LiveSegment): void => {
    const stretch = this.#stretches.get(track)
    if (stretch === undefined) return
    if (this.#queuedBytes + segment.sizeBytes > mostQueuedBytes)
      return this.#warn(
        'dvr_unavailable',
        'The disk is too slow for the DVR window: parts of it stay in memory.',
      )
    this.#queuedBytes += segment.sizeBytes
    this.#queue = this.#queue.then(async () => {
      await this.#write(stretch, segment).catch((error: unknown) => this.#fail(error))
      this.#queuedBytes -= segment.sizeBytes
    })
  }

  has = (track: string, number: number): boolean => this.#placeOf(track, number) !== undefined

  read = async (track: string, number: number): Promise<Buffer> => {
    const key = keyOf(track, number)
    const place = this.#placeOf(track, number)
    if (place === undefined) throw new Error('The segment has left the window.')
    // Many viewers that are equally far behind read it once.
    const read = this.#reads.get(key) ?? readBytes(mediaPath(this.#options.folder, blockOf(number)), place)
    this.#reads.set(key, read)
    try {
      return await read
    } finally {
      this.#reads.delete(key)
    }
  }

  firstNumber = (): number => this.#firstNumber

  forget = (firstNumber: number): void => {
    for (const block of this.#blocks.keys())
      if ((block + 1) * segmentsPerBlock <= firstNumber) void this.#drop(block)
  }

  /** Resolves when all that was added is written, or has failed. */
  settled(): Promise<void> {
    return this.#queue
  }

  sizeBytes(): number {
    return this.#blocks.values().reduce((sum, block) => sum + block.sizeBytes, 0)
  }

  /** The newest block is what the window goes on in. */
  oldestAtMs(): number | undefined {
    return this.#blocks.size > 1 ? this.#blocks.get(this.#oldestBlock())!.beganAtMs : undefined
  }

  async dropOldest(): Promise<void> {
    const block = this.#oldestBlock()
    this.#firstNumber = (block + 1) * segmentsPerBlock
    this.#warn('dvr_shortened', 'The disk has no more room for DVR windows: the oldest minutes were dropped.')
    await this.#drop(block)
  }

  #oldestBlock(): number {
    return this.#blocks.keys().reduce((oldest, block) => Math.min(oldest, block), Infinity)
  }

  #placeOf(track: string, number: number): BytePlace | undefined {
    return this.#blocks.get(blockOf(number))?.places.get(keyOf(track, number))
  }

  async #write(stretch: TrackStretch, segment: LiveSegment): Promise<void> {
    const { folder, keepsBytes, disk, now } = this.#options
    const number = blockOf(segment.number)
    const block = this.#blocks.get(number) ?? {
      sizeBytes: 0,
      beganAtMs: now(),
      stretches: new Set(),
      places: new Map(),
    }
    const hasBytes = keepsBytes && !segment.isGap
    if (hasBytes && !(await disk.makeRoom(segment.sizeBytes)))
      return this.#warn(
        'dvr_unavailable',
        'The disk has no room for the DVR window: it is as long as memory allows.',
      )
    this.#blocks.set(number, block)
    const { track, origin } = stretch
    const journal = journalPath(folder, number)
    const key = keyOf(track, origin.version)
    if (!block.stretches.has(key)) {
      block.sizeBytes += await appendLine(journal, writeStretch(stretch))
      block.stretches.add(key)
    }
    const pieces = segment.parts.map(({ data }) => data)
    const place = hasBytes ? await appendBytes(mediaPath(folder, number), pieces) : null
    block.sizeBytes += place?.sizeBytes ?? 0
    block.sizeBytes += await appendLine(journal, writeSegment(track, segment, place))
    if (place) block.places.set(keyOf(track, segment.number), place)
  }

  async #drop(block: number): Promise<void> {
    this.#blocks.delete(block)
    await removeBlock(this.#options.folder, block).catch((error: unknown) => this.#fail(error))
  }

  #fail(error: unknown): void {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
    const message = `The DVR window cannot be written to disk${code}: it is as long as memory allows.`
    this.#warn('dvr_unavailable', message)
  }

  #warn(code: DvrWarningCode, message: string): void {
    // Where no bytes are kept, viewers miss nothing.
    if (this.#options.keepsBytes) this.#options.onWarning(code, message)
  }
}

const keyOf = (track: string, number: number): string => `${track} ${number}`
