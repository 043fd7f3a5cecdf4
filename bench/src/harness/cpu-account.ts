import { readFileSync } from 'node:fs'
import { access, mkdir, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface CpuAccount {
  readonly folder: string
  /** Processor time of the process and of all that it started, including those that have ended. */
  readonly spentSeconds: () => number
  readonly remove: () => Promise<void>
}

const nanosecondsRoot = '/sys/fs/cgroup/cpuacct'
const root = '/sys/fs/cgroup'

/**
 * Accounts the processor time of a process in a control group of its own. The times of /proc do not include media
 * processes that have ended, because bubblewrap does not wait for the first process of its namespace. Needs root.
 */
export const openCpuAccount = async (
  processId: number,
  /** Also counts what this account counts. */
  parent: CpuAccount | null = null,
): Promise<CpuAccount> => {
  const isFirstVersion = await access(nanosecondsRoot).then(
    () => true,
    () => false,
  )
  const parentFolder = parent?.folder ?? (isFirstVersion ? nanosecondsRoot : root)
  const folder = join(parentFolder, `zoetrope-bench-account-${processId}`)
  await mkdir(folder)
  await writeFile(join(folder, 'cgroup.procs'), String(processId))
  return {
    folder,
    spentSeconds: () =>
      isFirstVersion
        ? Number(readFileSync(join(folder, 'cpuacct.usage'), 'utf8')) / 1e9
        : Number(/^usage_usec (\d+)$/m.exec(readFileSync(join(folder, 'cpu.stat'), 'utf8'))?.[1]) / 1e6,
    remove: async () => {
      if (processId === process.pid) await writeFile(join(parentFolder, 'cgroup.procs'), String(processId))
      // A process that has just ended keeps the group for a moment.
      await rmdir(folder).catch(() => {})
    },
  }
}
