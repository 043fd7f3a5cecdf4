import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'

/** proc(5): times in /proc are in clock ticks. */
const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))

/**
 * Returns the fields after the program name, which may itself contain spaces and parentheses. The first is
 * the state.
 */
const statFields = (processId: number): string[] => {
  const stat = readFileSync(`/proc/${processId}/stat`, 'latin1')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** User and system time of all its threads, in seconds. The resolution is 10 ms. */
export const cpuSecondsOf = (processId: number): number => {
  const fields = statFields(processId)
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

export interface RunningProcess {
  readonly processId: number
  readonly name: string
  readonly commandLine: string
}

export const descendantsOf = (processId: number): RunningProcess[] => {
  const children = new Map<number, RunningProcess[]>()
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const parentId = Number(statFields(Number(entry))[1])
      const name = readFileSync(`/proc/${entry}/comm`, 'utf8').trim()
      const commandLine = readFileSync(`/proc/${entry}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
      children.set(parentId, [
        ...(children.get(parentId) ?? []),
        { processId: Number(entry), name, commandLine },
      ])
    } catch {
      // The process ended during the scan.
    }
  }
  const below = (id: number): RunningProcess[] =>
    (children.get(id) ?? []).flatMap((child) => [child, ...below(child.processId)])
  return below(processId)
}

const statusMegabytes = (processId: number, field: string): number => {
  const status = readFileSync(`/proc/${processId}/status`, 'utf8')
  return (Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024) / 1e6
}

export const residentMegabytes = (processId: number): number => statusMegabytes(processId, 'VmRSS')

/** Peak since the start of the process, or since `resetPeak`. */
export const peakMegabytes = (processId: number): number => statusMegabytes(processId, 'VmHWM')

/** proc(5), clear_refs: 5 resets the peak resident set to the present one. */
export const resetPeak = (processId: number): void => writeFileSync(`/proc/${processId}/clear_refs`, '5')

/**
 * CPU time of a process, by default this one, and of all its descendants that have ended and were waited for.
 */
export const spentCpuSeconds = (processId: number = process.pid): number => {
  const fields = statFields(processId)
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond
}

/**
 * CPU time of all processes of the machine, including time withheld by its host (steal), summed over the
 * cores.
 */
export const machineCpuSeconds = (): number => {
  const [, ...ticks] = (readFileSync('/proc/stat', 'latin1').split('\n')[0] ?? '').trim().split(/\s+/)
  // user nice system idle iowait irq softirq steal; guest time is included in user and nice.
  const [user, nice, system, , , irq, softirq, steal] = ticks.map(Number)
  return (
    [user, nice, system, irq, softirq, steal].reduce<number>((sum, one) => sum + (one ?? 0), 0) /
    ticksPerSecond
  )
}
