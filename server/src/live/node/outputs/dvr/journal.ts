import { stat } from 'node:fs/promises'
import type { LiveSegment, StoredSegment, StoredWindow, TrackPeriod } from '@zoetrope/ll-hls'
import { mediaPath, type BytePlace } from './block-files.ts'

/** Where another node continues a broadcast from. */
export interface Journal {
  /** Returns at once; the line is stored soon after. */
  readonly append: (block: number, line: string) => void
  /** Resolves when all lines so far are stored, or refused because another node owns the stream. Rejects when they cannot be stored. */
  readonly flush: () => Promise<void>
  readonly dropBlock: (block: number) => void
  /** Resolves when it is stored. Rejects when it cannot be stored. */
  readonly dropAll: () => Promise<void>
  /** Returns what is stored, in the order in which it was appended. */
  readonly read: () => Promise<readonly JournalLines[]>
}

export interface JournalLines {
  readonly block: number
  readonly lines: string
}

/** A place on one disk. The disks of two nodes may have different bytes in the same block. */
interface DiskPlace extends BytePlace {
  readonly disk: string
  /** Epoch of the owner that wrote the bytes. */
  readonly epoch: number
}

/** A blob in the media store, which every node can read. */
interface MediaPlace {
  readonly blob: string
  readonly sizeBytes: number
}

export type SegmentPlace = DiskPlace | MediaPlace

export const isOnDisk = (place: SegmentPlace): place is DiskPlace => 'disk' in place

type JournalEntry =
  | { readonly type: 'period'; readonly period: TrackPeriod }
  | {
      readonly type: 'segment'
      readonly track: string
      readonly segment: LiveSegment
      /** Null when the segment is stored nowhere. */
      readonly place: SegmentPlace | null
    }

export const writePeriod = (period: TrackPeriod): string => {
  const { format } = period
  const initSegment = format.initSegment.toString('base64')
  return JSON.stringify({ type: 'period', period: { ...period, format: { ...format, initSegment } } })
}

export const writeSegment = (track: string, segment: LiveSegment, place: SegmentPlace | null): string =>
  JSON.stringify({ type: 'segment', track, segment: { ...segment, parts: [] }, place })

const readLine = (line: string): JournalEntry => {
  const entry = JSON.parse(line) as JournalEntry
  if (entry.type === 'segment') {
    const { segment, place } = entry
    return {
      ...entry,
      segment: { ...unnamed, ...segment },
      place: place !== null && isOnDisk(place) ? { ...unnamed, ...place } : place,
    }
  }
  const { format, origin } = entry.period
  const initSegment = Buffer.from(String(format.initSegment), 'base64')
  return {
    type: 'period',
    period: { ...entry.period, origin: { ...unnamed, ...origin }, format: { ...format, initSegment } },
  }
}

/** Lines from before epochs were part of the names have none. */
const unnamed = { epoch: 0 }

export interface StoredBlock {
  readonly block: number
  /** On this disk. */
  readonly sizeBytes: number
  readonly periods: readonly TrackPeriod[]
  readonly segments: readonly (StoredSegment & { readonly place: SegmentPlace | null })[]
}

/**
 * Reads the blocks of a broadcast, oldest first. Segments have bytes if the media store or `folder` on this
 * `disk` has them.
 */
export const readBlocks = async (journal: Journal, folder: string, disk: string): Promise<StoredBlock[]> => {
  const byBlock = Map.groupBy(await journal.read(), ({ block }) => block)
  const blocks = [...byBlock].toSorted(([one], [other]) => one - other)
  return Promise.all(
    blocks.map(async ([block, rows]) => {
      const entries = rows.flatMap(({ lines }) => lines.split('\n').map(readLine))
      const sizes = await sizesOf(entries, (epoch) => mediaPath(folder, block, epoch))
      return {
        block,
        sizeBytes: sizes.values().reduce((sum, size) => sum + size, 0),
        periods: entries.flatMap((entry) => (entry.type === 'period' ? [entry.period] : [])),
        segments: entries.flatMap((entry) => {
          if (entry.type !== 'segment') return []
          const { track, segment, place } = entry
          const hasBytes =
            place !== null &&
            (!isOnDisk(place) ||
              (place.disk === disk && place.offset + place.sizeBytes <= (sizes.get(place.epoch) ?? 0)))
          return [{ track, segment, hasBytes, place: hasBytes ? place : null }]
        }),
      }
    }),
  )
}

/** Returns the sizes of the media files of a block by epoch. */
const sizesOf = async (
  entries: readonly JournalEntry[],
  pathOf: (epoch: number) => string,
): Promise<Map<number, number>> => {
  const epochs = new Set(
    entries.flatMap((entry) =>
      entry.type === 'segment' && entry.place !== null && isOnDisk(entry.place) ? [entry.place.epoch] : [],
    ),
  )
  const sizes = [...epochs].map(async (epoch) => {
    const { size } = await stat(pathOf(epoch)).catch(() => ({ size: 0 }))
    return [epoch, size] as const
  })
  return new Map(await Promise.all(sizes))
}

export const windowOf = (blocks: readonly StoredBlock[]): StoredWindow => ({
  periods: blocks.flatMap(({ periods }) => periods),
  segments: blocks.flatMap(({ segments }) => segments),
})
