import { randomUUID } from 'node:crypto'
import { mkdir, rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { sweepFolder } from '../../../platform/blobs/durable-files.ts'
import type { Log } from '../../../platform/log/log.ts'

const hourMs = 3_600_000
/**
 * Longer than any job may take: a younger folder may belong to another worker that shares the data folder.
 */
const abandonedMs = 25 * hourMs

export interface WorkFolder {
  readonly path: string
  readonly remove: () => Promise<void>
}

/**
 * Makes a folder for temporary files of this worker alone. Deletes the folders of dead workers, now and every
 * hour. Process ids do not identify dead workers: a zombie counts as running, and containers reuse ids.
 */
export const openWorkFolder = async (
  parent: string,
  {
    isOnlyWorker,
    log,
    sweepEveryMs = hourMs,
  }: { readonly isOnlyWorker: boolean; readonly log: Log; readonly sweepEveryMs?: number },
): Promise<WorkFolder> => {
  await mkdir(parent, { recursive: true, mode: 0o700 })
  await sweepFolder(parent, isOnlyWorker ? 0 : abandonedMs)
  const path = join(parent, randomUUID())
  await mkdir(path, { mode: 0o700 })
  const sweep = async (): Promise<void> => {
    const now = new Date()
    // Otherwise the folder of an idle worker would look like that of a dead one.
    await utimes(path, now, now)
    await sweepFolder(parent, abandonedMs)
  }
  const timer = setInterval(() => {
    sweep().catch((error: unknown) =>
      log.warn({ err: error, folder: parent }, 'cannot remove the work folders of killed workers'),
    )
  }, sweepEveryMs).unref()
  const remove = async (): Promise<void> => {
    clearInterval(timer)
    await rm(path, { recursive: true, force: true })
  }
  return { path, remove }
}
