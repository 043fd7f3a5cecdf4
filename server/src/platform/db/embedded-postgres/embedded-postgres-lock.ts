import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { StartupError } from '../../base/startup-error.ts'

/** A stopping Zoetrope holds its lock a moment longer: a restart must not fail on that. */
const waitForOwnerMs = 2_000
const retryMs = 50

export interface FolderLock {
  release: () => void
}

/** Another Zoetrope runs on the folder; neither process has a fault. */
export class FolderInUseError extends Error {}

/**
 * Makes this process the only Zoetrope on the folder. Throws an error that names the process that holds it.
 *
 * The kernel releases the lock whenever the process dies, so there is never a stale lock. Node has no call
 * for it, but SQLite takes exactly that lock for `BEGIN EXCLUSIVE`; nothing is stored.
 */
export const lockFolder = async (folder: string, waitMs = waitForOwnerMs): Promise<FolderLock> => {
  const ownerFile = join(folder, 'owner.pid')
  const deadline = Date.now() + waitMs
  for (;;) {
    const lock = tryLock(join(folder, 'owner.lock'))
    if (lock) {
      writeFileSync(ownerFile, `${process.pid}\n`)
      return { release: () => lock.close() }
    }
    if (Date.now() >= deadline) {
      throw new FolderInUseError(
        `The database in ${folder} is in use by another Zoetrope (pid ${readOwner(ownerFile)}). ` +
          'Stop it first, or set ZOETROPE_DATA to another folder.',
      )
    }
    await delay(retryMs)
  }
}

const tryLock = (path: string): DatabaseSync | undefined => {
  const database = new DatabaseSync(path)
  try {
    database.exec('BEGIN EXCLUSIVE')
    return database
  } catch (error) {
    database.close()
    const { errcode } = error as { errcode?: number }
    if (errcode === sqliteBusy) return undefined
    if (errcode === sqliteFull)
      throw new StartupError(
        `The disk of ${dirname(path)} is full. Free some space, then start Zoetrope again.`,
        { cause: error },
      )
    throw error
  }
}

/** SQLITE_BUSY of https://www.sqlite.org/rescode.html: another connection holds the lock. */
const sqliteBusy = 5
/** SQLITE_FULL */
const sqliteFull = 13

const readOwner = (path: string): string => {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return 'unknown'
  }
}
