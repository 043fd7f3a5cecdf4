import { readdir, readFile } from 'node:fs/promises'
import type { Installation, KilledRole } from './installation.ts'

export interface Sample {
  readonly role: KilledRole
  readonly pid: number
  readonly atMinute: number
  readonly megabytes: number
  readonly descriptors: number
}

const roles: readonly KilledRole[] = ['live', 'api', 'worker']

/** Samples memory and open files of the running roles. Skips a role that is starting. */
export const sampleRoles = async (installation: Installation, atMinute: number): Promise<Sample[]> => {
  const samples = await Promise.all(
    roles.map(async (role) => {
      const pid = await installation.findRole(role)
      try {
        const status = await readFile(`/proc/${pid}/status`, 'utf8')
        const kilobytes = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1])
        const descriptors = (await readdir(`/proc/${pid}/fd`)).length
        return [{ role, pid, atMinute, megabytes: kilobytes / 1_024, descriptors }]
      } catch {
        return []
      }
    }),
  )
  return samples.flat()
}

/** Growth of a figure in an hour, by linear regression over all samples. */
export const growthPerHour = (samples: readonly Sample[], figure: 'megabytes' | 'descriptors'): number => {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const minutes = mean(samples.map(({ atMinute }) => atMinute))
  const height = mean(samples.map((sample) => sample[figure]))
  const rise = mean(samples.map((sample) => (sample.atMinute - minutes) * (sample[figure] - height)))
  const run = mean(samples.map(({ atMinute }) => (atMinute - minutes) ** 2))
  return run === 0 ? 0 : (60 * rise) / run
}
