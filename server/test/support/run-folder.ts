import { rmSync } from 'node:fs'
import { chmod, mkdtemp, readdir, readFile, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const GiB = 1024 ** 3
const memoryFolder = '/dev/shm'

/** Whether the memory folder has enough room and permits execution, because some tests write programs. */
const isUsable = async (): Promise<boolean> => {
  const mounts = await readFile('/proc/mounts', 'utf8').catch(() => '')
  const mount = mounts.split('\n').find((line) => line.split(' ')[1] === memoryFolder)
  if (mount === undefined || mount.includes('noexec') || process.availableMemory() < 8 * GiB) return false
  const { bavail, bsize } = await statfs(memoryFolder)
  return bavail * bsize >= 4 * GiB
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

/** Deletes the folders of killed runs, which still occupy memory. */
const removeThoseOfDeadRuns = async (parent: string): Promise<void> => {
  const dead = (await readdir(parent)).filter((name) => {
    const pid = /^zoetrope-run-(\d+)-/.exec(name)?.[1]
    return pid !== undefined && !isRunning(Number(pid))
  })
  await Promise.all(dead.map((name) => rm(join(parent, name), { recursive: true, force: true })))
}

/**
 * Creates the folder for temporary files of a run, in memory when possible, because tests create hundreds of
 * databases. Data written there survives a killed process; no test covers a power loss.
 */
export const makeRunFolder = async (): Promise<string> => {
  const parent = (await isUsable()) ? memoryFolder : tmpdir()
  await removeThoseOfDeadRuns(parent)
  const folder = await mkdtemp(join(parent, `zoetrope-run-${process.pid}-`))
  // Same mode as /tmp, because some servers run as other users.
  await chmod(folder, 0o1777)
  return folder
}

let ownFolder: Promise<string> | null = null

const makeOwnFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-test-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Folder that all workers of a run share. A script outside vitest has its own. */
export const sharedFolder = (): Promise<string> => {
  const folder = process.env['TEST_RUN_FOLDER']
  if (folder !== undefined) return Promise.resolve(folder)
  return (ownFolder ??= makeOwnFolder())
}
