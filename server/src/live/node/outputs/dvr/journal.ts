import { stat } from 'node:fs/promises'
import type { LiveSegment, StoredSegment, StoredWindow, TrackPeriod } from '@zoetrope/ll-hls'
import { mediaPath, type BytePlace } from './block-files.ts'

/** Where another node continues a broadcast from. */
export interface Journal {
  /** Returns at once; the line is stored soon after. */
  readonly append: (block: number, line: string) => void
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
  if (entry.type === 'segment') return entry
  const { format } = entry.period
  const initSegment = Buffer.from(String(format.initSegment), 'base64')
  return { type: 'period', period: { ...entry.period, format: { ...format, initSegment } } }
}

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
      const { size } = await stat(mediaPath(folder, block)).catch(() => ({ size: 0 }))
      const entries = rows.flatMap(({ lines }) => lines.split('\n').map(readLine))
      return {
        block,
        sizeBytes: size,
        periods: entries.flatMap((entry) => (entry.type === 'period' ? [entry.period] : [])),
        segments: entries.flatMap((entry) => {
          if (entry.type !== 'segment') return []
          const { track, segment, place } = entry
          const hasBytes =
            place !== null &&
            (!isOnDisk(place) || (place.disk === disk && place.offset + place.sizeBytes <= size))
          return [{ track, segment, hasBytes, place: hasBytes ? place : null }]
        }),
      }
    }),
  )
}

export const windowOf = (blocks: readonly StoredBlock[]): StoredWindow => ({
  periods: blocks.flatMap(({ periods }) => periods),
  segments: blocks.flatMap(({ segments }) => segments),
})
