import { access, mkdir, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const periodMicroseconds = 100_000

/** Where version 1 and version 2 of control groups take a limit, and in which form. */
const versions = [
  {
    root: '/sys/fs/cgroup/cpu',
    limit: (quota: number) => ({
      'cpu.cfs_period_us': `${periodMicroseconds}`,
      'cpu.cfs_quota_us': `${quota}`,
    }),
  },
  { root: '/sys/fs/cgroup', limit: (quota: number) => ({ 'cpu.max': `${quota} ${periodMicroseconds}` }) },
]

export interface CpuLimit {
  /** A process that writes its id into this file joins, and its children with it. */
  readonly processesFile: string
  readonly remove: () => Promise<void>
}

/** Makes a control group whose processes get at most `cores` of processor time together. Needs root. */
export const limitCpu = async (name: string, cores: number): Promise<CpuLimit> => {
  const isFirst = await access(versions[0]!.root).then(
    () => true,
    () => false,
  )
  const { root, limit } = versions[isFirst ? 0 : 1]!
  const folder = join(root, `zoetrope-bench-${process.pid}-${name}`)
  await mkdir(folder)
  for (const [file, text] of Object.entries(limit(Math.round(cores * periodMicroseconds))))
    await writeFile(join(folder, file), text)
  return { processesFile: join(folder, 'cgroup.procs'), remove: () => rmdir(folder) }
}
