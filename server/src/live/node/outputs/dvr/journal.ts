import { readdir, readFile, stat } from 'node:fs/promises'
import type { LiveSegment, StoredSegment, StoredWindow, TrackPeriod } from '@zoetrope/ll-hls'
import { journalPath, mediaPath, type BytePlace } from './block-files.ts'

/** Lines of journals on disk. A period has the type `stretch` there, which earlier releases wrote. */
type JournalEntry =
  | { readonly type: 'stretch'; readonly stretch: TrackPeriod }
  | {
      readonly type: 'segment'
      readonly track: string
      readonly segment: LiveSegment
      /** Null when the segment has no bytes on disk. */
      readonly place: BytePlace | null
    }

export const writePeriod = (period: TrackPeriod): string => {
  const { format } = period
  const initSegment = format.initSegment.toString('base64')
  return JSON.stringify({ type: 'stretch', stretch: { ...period, format: { ...format, initSegment } } })
}

export const writeSegment = (track: string, segment: LiveSegment, place: BytePlace | null): string =>
  JSON.stringify({ type: 'segment', track, segment: { ...segment, parts: [] }, place })

/** Returns undefined for a line that a crash left incomplete. */
const readLine = (line: string): JournalEntry | undefined => {
  try {
    const entry = JSON.parse(line) as JournalEntry
    if (entry.type === 'segment') return entry
    const { format } = entry.stretch
    const initSegment = Buffer.from(String(format.initSegment), 'base64')
    return { type: 'stretch', stretch: { ...entry.stretch, format: { ...format, initSegment } } }
  } catch {
    return undefined
  }
}

export interface StoredBlock {
  readonly block: number
  readonly sizeBytes: number
  readonly writtenAtMs: number
  readonly periods: readonly TrackPeriod[]
  readonly segments: readonly (StoredSegment & { readonly place: BytePlace | null })[]
}

/**
 * Reads the blocks that another process left of a broadcast, oldest first. Returns an empty list when there
 * is no folder.
 */
export const readBlocks = async (folder: string): Promise<StoredBlock[]> => {
  const names = await readdir(folder).catch(() => [])
  const numbers = names
    .flatMap((name) => /^(\d{1,15})\.ndjson$/.exec(name)?.[1] ?? [])
    .map(Number)
    .toSorted((a, b) => a - b)
  const blocks: StoredBlock[] = []
  for (const number of numbers) blocks.push(await readBlock(folder, number))
  return blocks
}

const readBlock = async (folder: string, block: number): Promise<StoredBlock> => {
  const text = await readFile(journalPath(folder, block), 'utf8')
  const { size, mtimeMs } = await stat(mediaPath(folder, block)).catch(() => ({ size: 0, mtimeMs: 0 }))
  const entries = text.split('\n').flatMap((line) => (line === '' ? [] : (readLine(line) ?? [])))
  return {
    block,
    sizeBytes: size + Buffer.byteLength(text),
    writtenAtMs: mtimeMs,
    periods: entries.flatMap((entry) => (entry.type === 'stretch' ? [entry.stretch] : [])),
    segments: entries.flatMap((entry) => {
      if (entry.type !== 'segment') return []
      const { track, segment, place } = entry
      const isWhole = place !== null && place.offset + place.sizeBytes <= size
      return [{ track, segment, hasBytes: isWhole, place: isWhole ? place : null }]
    }),
  }
}

export const windowOf = (blocks: readonly StoredBlock[]): StoredWindow => ({
  periods: blocks.flatMap(({ periods }) => periods),
  segments: blocks.flatMap(({ segments }) => segments),
})
