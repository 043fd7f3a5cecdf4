import { LRUCache } from 'lru-cache'
import { markWatched } from '../../library/files/on-demand/watched-rungs.ts'
import type { Database } from '../../platform/db/database.ts'
import type { RenditionRow } from '../../library/files/record/parts/rendition-record.ts'

/** Eviction counts in days. */
const noteAgainMs = 3_600_000
const maxNoted = 50_000
/** Renditions that are watched within this time share a statement. */
const collectMs = 1_000

export interface WatchNotes {
  /** Records that a viewer watches the rendition, so that segments of rungs on demand are kept, and HEVC and AV1 are encoded. */
  readonly note: (rendition: Pick<RenditionRow, 'id' | 'kind'>) => void
  /** Records what is still collected. */
  readonly close: () => Promise<void>
}

export const createWatchNotes = (database: Database): WatchNotes => {
  const noted = new LRUCache<number, true>({ max: maxNoted, ttl: noteAgainMs })
  let collected: number[] = []
  let timer: NodeJS.Timeout | null = null
  const flush = async (): Promise<void> => {
    const ids = collected
    collected = []
    timer = null
    // Without it, the next request is recorded.
    await markWatched(database, ids).catch(() => {
      for (const id of ids) noted.delete(id)
    })
  }
  return {
    note: ({ id, kind }) => {
      if (kind !== 'video' || noted.has(id)) return
      noted.set(id, true)
      collected.push(id)
      timer ??= setTimeout(() => void flush(), collectMs).unref()
    },
    close: async () => {
      if (timer === null) return
      clearTimeout(timer)
      await flush()
    },
  }
}
