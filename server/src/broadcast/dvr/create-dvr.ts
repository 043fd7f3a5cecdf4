import { mkdir, rm } from 'node:fs/promises'
import { beginAt, restoreWindow, resumeAfter, type PackagerResume, type SegmentStore } from '@zoetrope/live'
import type { SessionPart } from '../session-part.ts'
import type { DvrDisk } from './dvr-disk.ts'
import { DvrStore, type DvrWarningCode } from './dvr-store.ts'
import { readBlocks, windowOf, type StoredBlock } from './journal.ts'

export interface DvrOptions {
  readonly disk: DvrDisk
  readonly broadcastId: number
  /** When the broadcast was first seen by viewers; null where it has not been. */
  readonly onlineAtMs: number | null
  /** When its last publisher, or the process that had it, was last there; null where nobody knows. */
  readonly leftAtMs: number | null
  /** How far back viewers may go; 0 keeps no bytes on disk. */
  readonly windowSeconds: number
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly onWarning: (code: DvrWarningCode, message: string) => void
}

/** The window of a broadcast on disk, and where the broadcast begins, or goes on that another process began. Both are for its packager. */
export interface Dvr extends SessionPart {
  readonly store: SegmentStore
  readonly restored: PackagerResume
  /** Resolves when what has been made so far is on disk, or cannot be. */
  readonly settled: () => Promise<void>
}

/** Never rejects: where the disk fails, the window lies in memory. */
export const createDvr = async (options: DvrOptions): Promise<Dvr> => {
  const { disk, broadcastId, windowSeconds, now, onWarning } = options
  const name = String(broadcastId)
  const folder = disk.folderOf(name)
  const found = await readBlocks(folder).catch(() => [])
  const { restored, left } = restore(options, found)
  if (left.length < found.length) await rm(folder, { recursive: true, force: true }).catch(() => {})
  // What can't be made shows when the first segment is written.
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch(() => {})
  const keepsBytes = windowSeconds > 0
  const store = new DvrStore({ disk, folder, keepsBytes, now, onWarning }, left)
  disk.open(name, store)
  return {
    store,
    restored,
    settled: () => store.settled(),
    stop: async (why) => {
      await store.settled()
      await disk.close(name, why)
    },
  }
}

/** What was stored is of use if it is nearly as new as what viewers have seen; no names may come again either way. */
const restore = (
  { onlineAtMs, leftAtMs, now }: DvrOptions,
  found: readonly StoredBlock[],
): { restored: PackagerResume; left: readonly StoredBlock[] } => {
  if (onlineAtMs === null) return { restored: beginAt(now()), left: [] }
  const stored = windowOf(found)
  const restored = restoreWindow(stored, leftAtMs)
  if (restored !== null) return { restored, left: found }
  const [known] = stored.stretches
  // No playlist may change its target duration.
  const kept = known && { targets: known.targets, availableFromMs: known.availableFromMs }
  return { restored: { ...resumeAfter(onlineAtMs, now()), ...kept }, left: [] }
}
