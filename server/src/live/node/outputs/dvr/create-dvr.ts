import { mkdir, rm } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { beginAt, restoreWindow, resumeAfter, type PackagerResume, type SegmentStore } from '@zoetrope/ll-hls'
import type { BroadcastOutput } from '../../channel/broadcast-output.ts'
import type { DvrDisk } from './dvr-disk.ts'
import { DvrStore, type DvrMedia, type DvrWarningCode } from './dvr-store.ts'
import { readBlocks, windowOf, type Journal, type StoredBlock } from './journal.ts'

export interface DvrOptions {
  readonly disk: DvrDisk
  readonly media: DvrMedia
  readonly journal: Journal
  readonly broadcastId: number
  /** Part of the names of what this owner of the broadcast makes. */
  readonly epoch: number
  /** Time at which viewers first saw the broadcast, or null. */
  readonly onlineAtMs: number | null
  /** Time at which the last publisher, or its process, was last seen; null when unknown. */
  readonly leftAtMs: number | null
  /** Time until which a lost process may have published without a journal; null after an orderly stop. */
  readonly lostUntilMs: number | null
  /** Whether viewers may rewind. Otherwise the disk only relieves the memory of the usual half minute. */
  readonly isTimeshift: boolean
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly onWarning: (code: DvrWarningCode, message: string) => void
  /** Receives the size of the window in the media storage every few seconds. */
  readonly onMediaBytes: (sizeBytes: number) => void
}

/** Window of a broadcast on disk or in the media store, its journal, and the state from which its packager starts or resumes. */
export interface Dvr extends BroadcastOutput {
  readonly store: SegmentStore
  readonly restored: PackagerResume
  readonly settled: () => Promise<void>
  /**
   * Resolves when another node could continue from all segments so far. Does not wait long for the storage of their
   * bytes. Rejects when the journal cannot be written.
   */
  readonly journaled: () => Promise<void>
}

const longestStoreMs = 1_000

/**
 * Opens the DVR window of a broadcast. Rejects when the journal of an earlier owner can neither be read nor dropped.
 * When the disk fails, the window stays in memory.
 */
export const createDvr = async (options: DvrOptions): Promise<Dvr> => {
  const { disk, media, journal, broadcastId, onlineAtMs } = options
  const name = String(broadcastId)
  const folder = disk.folderOf(name)
  const found = onlineAtMs === null ? [] : await readBlocks(journal, folder, disk.name)
  const { restored, left } = restore(options, found)
  if (left.length < found.length) {
    // Before viewers see the new numbers: the next owner would continue the former ones, which are lower.
    await journal.dropAll()
    await rm(folder, { recursive: true, force: true }).catch(() => {})
  }
  // A failure becomes visible when the first segment is written.
  if (!media.isUsed) await mkdir(folder, { recursive: true, mode: 0o700 }).catch(() => {})
  const store = new DvrStore({ ...options, folder }, left)
  disk.open(name, store)
  return {
    store,
    restored,
    settled: () => store.settled(),
    journaled: async () => {
      await Promise.race([store.settled(), delay(longestStoreMs, null, { ref: false })])
      await journal.flush()
    },
    stop: async (why) => {
      await store.settled()
      await disk.close(name, store, why)
    },
  }
}

/**
 * Resumes the stored window when it is recent enough. Otherwise starts after all numbers in use, because no
 * name may be reused.
 */
const restore = (
  { epoch, onlineAtMs, leftAtMs, lostUntilMs, now }: DvrOptions,
  found: readonly StoredBlock[],
): { restored: PackagerResume; left: readonly StoredBlock[] } => {
  if (onlineAtMs === null) return { restored: beginAt(now(), epoch), left: [] }
  const stored = windowOf(found)
  const restored = restoreWindow(stored, epoch, leftAtMs, lostUntilMs)
  if (restored !== null) return { restored, left: found }
  const [known] = stored.periods
  // A playlist must not change its target duration.
  const kept = known && { targets: known.targets, availableFromMs: known.availableFromMs }
  return { restored: { ...resumeAfter(onlineAtMs, now(), epoch), ...kept }, left: [] }
}
