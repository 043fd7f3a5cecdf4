import { execFile } from 'node:child_process'
import { readdir, readFile, readlink, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'

const pollMs = 20

/**
 * "Fast" writes a checkpoint first; "immediate" is a crash that the next start recovers from; KILL is the
 * last resort.
 */
const escalation = [
  { signal: 'SIGINT', waitMs: 30_000 },
  { signal: 'SIGQUIT', waitMs: 5_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
] as const

/**
 * Stops every PostgreSQL on this data folder (an absolute path without links) and removes its pid and lock
 * files. Only the owner of the folder lock may call this: such a server is an orphan of a killed Zoetrope, or
 * is just stopping.
 *
 * Processes are identified by their working folder. The pid in `postmaster.pid` alone proves nothing: after a
 * crash it may belong to a zombie. In a container, where pids restart, it may belong to an unrelated process.
 * PostgreSQL would refuse to start while that process lives.
 */
export const stopServersOn = async (dataFolder: string, socketFolder: string): Promise<void> => {
  for (const { signal, waitMs } of escalation) {
    const deadline = Date.now() + waitMs
    const pids = await findServersOn(dataFolder)
    if (pids.length === 0) break
    const postmaster = await readPostmasterPid(dataFolder)
    // Backends end with their postmaster; they get separate signals only when it is gone.
    signalAll(
      postmaster !== undefined && pids.includes(postmaster) && signal !== 'SIGKILL' ? [postmaster] : pids,
      signal,
    )
    while ((await findServersOn(dataFolder)).length > 0 && Date.now() < deadline) await delay(pollMs)
  }
  const survivors = await findServersOn(dataFolder)
  if (survivors.length > 0) {
    throw new Error(
      `The PostgreSQL on ${dataFolder} (pid ${survivors.join(', ')}) cannot be stopped, not even by SIGKILL.`,
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
      // Both links are missing for a zombie and unreadable for processes of other users.
      const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => undefined)
      if (cwd !== dataFolder) return []
      const program = await readlink(`/proc/${pid}/exe`).catch(() => '')
      // After an update of node_modules the link of a running program ends with "(deleted)".
      return basename(program).replace(' (deleted)', '') === 'postgres' ? [Number(pid)] : []
    }),
  )
  return found.flat()
}

/**
 * Without /proc only the postmaster is visible: its arguments contain the folder, while its children have
 * titles instead.
 */
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

const readPostmasterPid = async (dataFolder: string): Promise<number | undefined> => {
  const pid = Number.parseInt((await readPostmasterFile(dataFolder))[0] ?? '', 10)
  return pid > 0 ? pid : undefined
}

/** Line 8 of the file holds the state of the postmaster; pg_ctl waits for the same value. */
export const isServerReady = async (dataFolder: string): Promise<boolean> =>
  (await readPostmasterFile(dataFolder))[7]?.trim() === 'ready'

const readPostmasterFile = async (dataFolder: string): Promise<string[]> => {
  try {
    return (await readFile(join(dataFolder, 'postmaster.pid'), 'utf8')).split('\n')
  } catch {
    return []
  }
}
