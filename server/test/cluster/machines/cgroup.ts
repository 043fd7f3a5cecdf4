import { access, mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { processPollMs } from '../../support/processes.ts'
import { waitFor } from '../../support/wait-for.ts'

/** All processes of one machine, which are frozen and killed together. */
export interface ControlGroup {
  /** A process that writes its id into this file joins. */
  readonly processesFile: string
  readonly freeze: () => Promise<void>
  readonly thaw: () => Promise<void>
  /** Sends SIGKILL to all. Resolves when none is left. */
  readonly kill: () => Promise<void>
  readonly remove: () => Promise<void>
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** The second version of control groups has one hierarchy and another file for the freezer. */
const versions = [
  { root: '/sys/fs/cgroup/freezer', file: 'freezer.state', frozen: 'FROZEN', thawed: 'THAWED' },
  { root: '/sys/fs/cgroup', file: 'cgroup.freeze', frozen: '1', thawed: '0' },
] as const

const prefix = 'zoetrope-cluster'

const findVersion = async () => ((await exists(versions[0].root)) ? versions[0] : versions[1])

/** Removes the groups of clusters that were killed. One with processes cannot be removed. */
export const sweepControlGroups = async (): Promise<void> => {
  const { root } = await findVersion()
  const names = (await readdir(root)).filter((name) => name.startsWith(prefix))
  await Promise.all(names.map((name) => rmdir(join(root, name)).catch(() => {})))
}

export const createControlGroup = async (name: string): Promise<ControlGroup> => {
  const version = await findVersion()
  const folder = join(version.root, `${prefix}-${name}`)
  await mkdir(folder, { recursive: true })
  const processesFile = join(folder, 'cgroup.procs')
  const processes = async (): Promise<number[]> =>
    (await readFile(processesFile, 'utf8')).split('\n').filter(Boolean).map(Number)
  const setState = async (state: string): Promise<void> => {
    const file = join(folder, version.file)
    await writeFile(file, state)
    await waitFor(
      async () => (await readFile(file, 'utf8')).trim(),
      (now) => now === state,
    )
  }
  const thaw = () => setState(version.thawed)
  return {
    processesFile,
    freeze: () => setState(version.frozen),
    thaw,
    kill: async () => {
      // A process that starts another one meanwhile is in the next list.
      await waitFor(
        async () => {
          const pids = await processes()
          for (const pid of pids)
            try {
              process.kill(pid, 'SIGKILL')
            } catch {
              // It has ended.
            }
          return pids
        },
        (pids) => pids.length === 0,
        30_000,
        processPollMs / 10,
      )
    },
    remove: () => rmdir(folder),
  }
}
