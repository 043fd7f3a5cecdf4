import { mkdir } from 'node:fs/promises'
import { restoreWindow, resumeAfter, type PackagerResume, type SegmentStore } from '@zoetrope/live'
import type { SessionPart } from '../session-part.ts'
import type { DvrDisk } from './dvr-disk.ts'
import { DvrStore, type DvrWarningCode } from './dvr-store.ts'
import { readBlocks, windowOf } from './journal.ts'

export interface DvrOptions {
  readonly disk: DvrDisk
  readonly broadcastId: number
  /** When the broadcast was first seen by viewers; null where it has not been. */
  readonly onlineAtMs: number | null
  /** How far back viewers may go; 0 keeps no bytes on disk. */
  readonly windowSeconds: number
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly onWarning: (code: DvrWarningCode, message: string) => void
}

/** The window of a broadcast on disk, and where the broadcast goes on that another process began. Both are for its packager. */
export interface Dvr extends SessionPart {
  readonly store: SegmentStore
  readonly restored: PackagerResume | null
  /** Resolves when what has been made so far is on disk, or cannot be. */
  readonly settled: () => Promise<void>
}

/** Never rejects: where the disk fails, the window lies in memory. */
export const createDvr = async (options: DvrOptions): Promise<Dvr> => {
  const { disk, broadcastId, onlineAtMs, windowSeconds, now, onWarning } = options
  const name = String(broadcastId)
  const folder = disk.folderOf(name)
  const left = await readBlocks(folder).catch(() => [])
  // What can't be made shows when the first segment is written.
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch(() => {})
  const keepsBytes = windowSeconds > 0
  const store = new DvrStore({ disk, folder, keepsBytes, now, onWarning }, left)
  disk.open(name, store)
  const resume = onlineAtMs === null ? null : resumeAfter((now() - onlineAtMs) / 1_000)
  return {
    store,
    restored: restoreWindow(windowOf(left)) ?? resume,
    settled: () => store.settled(),
    stop: async (why) => {
      await store.settled()
      await disk.close(name, why)
    },
  }
}
