import { rmSync } from 'node:fs'
import { chmod, mkdtemp, readdir, readFile, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const GiB = 1024 ** 3
const memoryFolder = '/dev/shm'

/** Where it has room, and may be executed from: some tests write programs. */
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

/** A run that was killed has removed nothing, and memory is dear. */
const removeThoseOfDeadRuns = async (parent: string): Promise<void> => {
  const dead = (await readdir(parent)).filter((name) => {
    const pid = /^zoetrope-run-(\d+)-/.exec(name)?.[1]
    return pid !== undefined && !isRunning(Number(pid))
  })
  await Promise.all(dead.map((name) => rm(join(parent, name), { recursive: true, force: true })))
}

/**
 * A folder for the temporary files of a run, in memory where it can be: databases are made by the hundred. A process that is killed has
 * written there what it would have written on a disk; what a loss of power leaves is no test's business.
 */
export const makeRunFolder = async (): Promise<string> => {
  const parent = (await isUsable()) ? memoryFolder : tmpdir()
  await removeThoseOfDeadRuns(parent)
  const folder = await mkdtemp(join(parent, `zoetrope-run-${process.pid}-`))
  // As /tmp is: servers run as users of their own.
  await chmod(folder, 0o1777)
  return folder
}

let ownFolder: Promise<string> | null = null

const makeOwnFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-test-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** What all workers of a run share; of scripts outside of vitest each has its own. */
export const sharedFolder = (): Promise<string> => {
  const folder = process.env['TEST_RUN_FOLDER']
  if (folder !== undefined) return Promise.resolve(folder)
  return (ownFolder ??= makeOwnFolder())
}
