import type { LiveSegment, SegmentStore, TrackPeriod } from '@zoetrope/ll-hls'
import { appendBytes, blockOf, mediaPath, readBytes, removeBlock, segmentsPerBlock } from './block-files.ts'
import type { BlobStore } from '../../../../platform/blobs/blob-store.ts'
import type { DvrDisk } from './dvr-disk.ts'
import {
  isOnDisk,
  writeSegment,
  writePeriod,
  type Journal,
  type SegmentPlace,
  type StoredBlock,
} from './journal.ts'

export type DvrWarningCode = 'dvr_shortened' | 'dvr_unavailable'

/** The part of the media store that belongs to this broadcast. */
export interface DvrMedia {
  readonly blobs: Pick<BlobStore, 'put' | 'read' | 'delete'>
  /** Ends with '/'. No other owner of the broadcast writes below it. */
  readonly prefix: string
  /** Whether new segments go there, instead of the disk. */
  readonly isUsed: boolean
  /** False when another node may have taken over the broadcast long ago: housekeeping does not find what is written then. */
  readonly mayWrite: () => boolean
}

export interface DvrStoreOptions {
  readonly disk: DvrDisk
  readonly media: DvrMedia
  readonly folder: string
  /** Epoch of the process that owns the broadcast. */
  readonly epoch: number
  readonly journal: Journal
  /** Without it, the window fits into memory: it takes only free space of the disk, and failures need no warning. */
  readonly isTimeshift: boolean
  readonly onWarning: (code: DvrWarningCode, message: string) => void
  /** Receives the size of the window in the media storage every few seconds. */
  readonly onMediaBytes: (sizeBytes: number) => void
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** With a longer queue, the disk counts as stalled: only journal lines are then queued, up to a limit. */
const mostQueuedBytes = 32 * 2 ** 20
const mostQueuedLines = 2_000
const reportEveryMs = 10_000

interface Block {
  sizeBytes: number
  /** Periods that its journal already describes. */
  readonly periods: Set<string>
  readonly places: Map<string, SegmentPlace>
}

/**
 * Window of one broadcast on disk. Segments that cannot be written stay in the packager's memory, and the
 * broadcast continues.
 */
export class DvrStore implements SegmentStore {
  readonly #options: DvrStoreOptions
  readonly #blocks = new Map<number, Block>()
  readonly #periods = new Map<string, TrackPeriod>()
  #queue: Promise<void> = Promise.resolve()
  #queuedBytes = 0
  #queuedLines = 0
  #firstNumber = 0
  #reportedAtMs = -Infinity

  constructor(options: DvrStoreOptions, left: readonly StoredBlock[]) {
    this.#options = options
    for (const { block, sizeBytes, segments } of left) {
      const places = new Map(
        segments.flatMap(({ track, segment, place }) =>
          place ? [[keyOf(track, segment.number), place] as const] : [],
        ),
      )
      this.#blocks.set(block, { sizeBytes, periods: new Set(), places })
    }
  }

  addPeriod = (period: TrackPeriod): void => {
    this.#periods.set(period.track, period)
    // Written before the first segment, because viewers may know the init segment.
    this.#writePeriodOnce(period, period.firstNumber)
  }

  addSegment = (track: string, segment: LiveSegment): void => {
    const period = this.#periods.get(track)
    if (period === undefined) return
    const { sizeBytes } = segment
    if (segment.isGap || sizeBytes === 0) return this.#writeLater(period, segment, 0)
    if (this.#queuedBytes + sizeBytes <= mostQueuedBytes) return this.#writeLater(period, segment, sizeBytes)
    this.#warn('dvr_unavailable', 'The storage is too slow for the DVR window. Parts of it stay in memory.')
    this.#writeLater(period, segment, 0)
  }

  has = (track: string, number: number): boolean => this.#placeOf(track, number) !== undefined

  read = async (track: string, number: number): Promise<Buffer> => {
    const place = this.#placeOf(track, number)
    if (place === undefined) throw new Error('The segment has left the window.')
    try {
      const { folder, media } = this.#options
      if (!isOnDisk(place)) return await media.blobs.read(place.blob)
      return await readBytes(mediaPath(folder, blockOf(number), place.epoch), place)
    } catch (error) {
      // A segment that was dropped meanwhile is not a disk failure.
      if (this.#placeOf(track, number) !== undefined)
        this.#warn('dvr_unavailable', `Cannot read the DVR window${codeOf(error)}.`)
      throw error
    }
  }

  firstNumber = (): number => this.#firstNumber

  dropBefore = (firstNumber: number): void => {
    for (const block of this.#blocks.keys())
      if ((block + 1) * segmentsPerBlock <= firstNumber) void this.#drop(block)
  }

  settled(): Promise<void> {
    return this.#queue
  }

  /** Bytes that count towards the limit of all windows: a window without timeshift takes only free space. */
  sizeBytes(): number {
    if (!this.#options.isTimeshift) return 0
    return this.#blocks.values().reduce((sum, block) => sum + block.sizeBytes, 0)
  }

  canDrop(): boolean {
    return this.#options.isTimeshift && this.#oldestWithBytes() !== undefined
  }

  async dropOldest(): Promise<void> {
    const block = this.#oldestWithBytes()
    if (block === undefined) return
    this.#firstNumber = (block + 1) * segmentsPerBlock
    this.#warn(
      'dvr_shortened',
      'The disk has no space left for DVR windows. The oldest minutes were deleted.',
    )
    await this.#drop(block)
  }

  /** Never returns the newest block, because the window continues in it. */
  #oldestWithBytes(): number | undefined {
    const withBytes = [...this.#blocks].filter(([, { sizeBytes }]) => sizeBytes > 0).map(([block]) => block)
    return withBytes.length > 1 ? Math.min(...withBytes) : undefined
  }

  #placeOf(track: string, number: number): SegmentPlace | undefined {
    return this.#blocks.get(blockOf(number))?.places.get(keyOf(track, number))
  }

  /** Without bytes, the location in the journal is null. */
  #writeLater(period: TrackPeriod, { parts, ...segment }: LiveSegment, sizeBytes: number): void {
    const pieces = sizeBytes > 0 ? parts.map(({ data }) => data) : []
    // While the storage is slow, the next owner would not know the number, and use it again. Another line follows.
    if (this.#queuedLines > this.#periods.size && this.#queuedLines < mostQueuedLines)
      this.#appendToJournal(period, { ...segment, parts: [] }, null)
    this.#enqueue(sizeBytes, () => this.#write(period, { ...segment, parts: [] }, pieces))
  }

  #enqueue(sizeBytes: number, write: () => Promise<void>): void {
    // The process that resumes sees the age of the newest line.
    if (this.#queuedLines >= mostQueuedLines) return
    this.#queuedBytes += sizeBytes
    this.#queuedLines++
    this.#queue = this.#queue.then(async () => {
      await write().catch((error: unknown) => this.#fail(error))
      this.#queuedBytes -= sizeBytes
      this.#queuedLines--
    })
  }

  async #write(period: TrackPeriod, segment: LiveSegment, pieces: readonly Buffer[]): Promise<void> {
    const hasRoom = pieces.length === 0 || (await this.#hasRoom(segment.sizeBytes))
    if (!hasRoom)
      this.#warn(
        'dvr_unavailable',
        'The disk has no space for the DVR window. Its length is limited by the memory.',
      )
    // `makeRoom` may have dropped the oldest block of this window.
    const block = this.#blockFor(segment.number)
    const place = hasRoom && pieces.length > 0 ? await this.#store(period.track, segment, pieces) : null
    if (place !== null && isOnDisk(place)) block.sizeBytes += place.sizeBytes
    // The number is written even when the bytes fail, because no number may be reused.
    this.#appendToJournal(period, segment, place)
    if (place) block.places.set(keyOf(period.track, segment.number), place)
    if (this.#options.media.isUsed) this.#report()
  }

  async #hasRoom(sizeBytes: number): Promise<boolean> {
    const { disk, media, isTimeshift } = this.#options
    if (media.isUsed) return true
    return isTimeshift ? await disk.makeRoom(sizeBytes) : await disk.takeFree(sizeBytes)
  }

  #report(): void {
    const { now, onMediaBytes } = this.#options
    if (now() - this.#reportedAtMs < reportEveryMs) return
    this.#reportedAtMs = now()
    let sizeBytes = 0
    for (const { places } of this.#blocks.values())
      for (const place of places.values()) if (!isOnDisk(place)) sizeBytes += place.sizeBytes
    onMediaBytes(sizeBytes)
  }

  /** Returns null when the storage rejects the bytes. */
  async #store(
    track: string,
    { number }: LiveSegment,
    pieces: readonly Buffer[],
  ): Promise<SegmentPlace | null> {
    const { disk, epoch, folder, media } = this.#options
    try {
      if (!media.isUsed) {
        const path = mediaPath(folder, blockOf(number), epoch)
        return { disk: disk.name, epoch, ...(await appendBytes(path, pieces)) }
      }
      if (!media.mayWrite()) return null
      const blob = `${media.prefix}${track}-${number}.m4s`
      return { blob, ...(await media.blobs.put(blob, pieces)) }
    } catch (error) {
      this.#fail(error)
      return null
    }
  }

  #appendToJournal(period: TrackPeriod, segment: LiveSegment, place: SegmentPlace | null): void {
    this.#writePeriodOnce(period, segment.number)
    this.#options.journal.append(blockOf(segment.number), writeSegment(period.track, segment, place))
  }

  #writePeriodOnce(period: TrackPeriod, segmentNumber: number): void {
    const key = keyOf(period.track, period.origin.version)
    const { periods } = this.#blockFor(segmentNumber)
    if (periods.has(key)) return
    this.#options.journal.append(blockOf(segmentNumber), writePeriod(period))
    periods.add(key)
  }

  #blockFor(segmentNumber: number): Block {
    const number = blockOf(segmentNumber)
    const block = this.#blocks.get(number) ?? {
      sizeBytes: 0,
      periods: new Set(),
      places: new Map(),
    }
    this.#blocks.set(number, block)
    return block
  }

  async #drop(block: number): Promise<void> {
    const { epoch, folder, journal, media } = this.#options
    const places = [...(this.#blocks.get(block)?.places.values() ?? [])]
    this.#blocks.delete(block)
    journal.dropBlock(block)
    const epochs = places.filter(isOnDisk).map((place) => place.epoch)
    await removeBlock(folder, block, new Set([epoch, ...epochs])).catch((error: unknown) => this.#fail(error))
    // One failure must not leave the rest: the broadcast may last for months.
    for (const place of places)
      if (!isOnDisk(place)) await media.blobs.delete(place.blob).catch((error: unknown) => this.#fail(error))
  }

  #fail(error: unknown): void {
    const message = `Cannot write the DVR window${codeOf(error)}. Its length is limited by the memory.`
    this.#warn('dvr_unavailable', message)
  }

  #warn(code: DvrWarningCode, message: string): void {
    if (this.#options.isTimeshift) this.#options.onWarning(code, message)
  }
}

const keyOf = (track: string, number: number): string => `${track} ${number}`

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
