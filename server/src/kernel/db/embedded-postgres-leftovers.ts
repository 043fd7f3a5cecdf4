import { execFile } from 'node:child_process'
import { readdir, readFile, readlink, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'

const pollMs = 20

/** "Fast" writes a checkpoint first; "immediate" is a crash that the next start recovers from; then nothing helps but KILL. */
const escalation = [
  { signal: 'SIGINT', waitMs: 30_000 },
  { signal: 'SIGQUIT', waitMs: 5_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
] as const

/**
 * Stops every PostgreSQL that runs on this data folder (an absolute path without links) and removes the files that
 * claim that one does. For the owner of the folder's lock only: to it, such a server is an orphan of a Zoetrope that
 * was killed, or one that stops just now.
 *
 * Processes are recognised by their working folder. The pid in `postmaster.pid` alone proves nothing: after a
 * crash it may be a zombie's or, in a container where pids begin anew, belong to somebody else, and PostgreSQL
 * would refuse to start for as long as that process lives.
 */
export const stopServersOn = async (dataFolder: string, socketFolder: string): Promise<void> => {
  for (const { signal, waitMs } of escalation) {
    const deadline = Date.now() + waitMs
    const pids = await findServersOn(dataFolder)
    if (pids.length === 0) break
    const postmaster = await readPostmasterPid(dataFolder)
    // Backends end with their postmaster; only where that is gone are they told one by one.
    signalAll(
      postmaster !== undefined && pids.includes(postmaster) && signal !== 'SIGKILL' ? [postmaster] : pids,
      signal,
    )
    while ((await findServersOn(dataFolder)).length > 0 && Date.now() < deadline) await delay(pollMs)
  }
  const survivors = await findServersOn(dataFolder)
  if (survivors.length > 0) {
    throw new Error(
      `The PostgreSQL on ${dataFolder} (pid ${survivors.join(', ')}) can't be stopped, not even by SIGKILL.`,
    )
  }
  await Promise.all(
    [
      join(dataFolder, 'postmaster.pid'),
      join(socketFolder, '.s.PGSQL.5432'),
      join(socketFolder, '.s.PGSQL.5432.lock'),
    ].map((path) => rm(path, { force: true })),
  )
}

const findServersOn = (dataFolder: string): Promise<number[]> =>
  process.platform === 'linux' ? findInProc(dataFolder) : findWithPs(dataFolder)

const findInProc = async (dataFolder: string): Promise<number[]> => {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(
    pids.map(async (pid) => {
      // Both links are gone for a zombie and closed for the processes of others.
      const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => undefined)
      if (cwd !== dataFolder) return []
      const program = await readlink(`/proc/${pid}/exe`).catch(() => '')
      // After an update of node_modules the link of a running program says "(deleted)".
      return basename(program).replace(' (deleted)', '') === 'postgres' ? [Number(pid)] : []
    }),
  )
  return found.flat()
}

/** Without /proc only the postmaster is seen: it has the folder in its arguments, its children have titles instead. */
const findWithPs = async (dataFolder: string): Promise<number[]> => {
  const { stdout } = await promisify(execFile)('ps', ['-axww', '-o', 'pid=,command='])
  return stdout
    .split('\n')
    .filter((line) => line.includes(`postgres -D ${dataFolder} `))
    .map((line) => Number.parseInt(line, 10))
}

const signalAll = (pids: number[], signal: NodeJS.Signals): void => {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}

/** The pid that `postmaster.pid` claims, alive or not. */
const readPostmasterPid = async (dataFolder: string): Promise<number | undefined> => {
  const pid = Number.parseInt((await readPostmasterFile(dataFolder))[0] ?? '', 10)
  return pid > 0 ? pid : undefined
}

/** pg_ctl waits for the same word: line 8 of the file tells the state of the postmaster. */
export const isServerReady = async (dataFolder: string): Promise<boolean> =>
  (await readPostmasterFile(dataFolder))[7]?.trim() === 'ready'

const readPostmasterFile = async (dataFolder: string): Promise<string[]> => {
  try {
    return (await readFile(join(dataFolder, 'postmaster.pid'), 'utf8')).split('\n')
  } catch {
    return []
  }
}
