import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'

/** proc(5): times in /proc are in clock ticks. */
const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))

/** The fields behind the program's name, which may hold spaces and brackets itself; the first is the state. */
const statFields = (processId: number): string[] => {
  const stat = readFileSync(`/proc/${processId}/stat`, 'latin1')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** User and system time of all its threads, in seconds; resolution 10 ms. */
export const cpuSecondsOf = (processId: number): number => {
  const fields = statFields(processId)
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

export interface RunningProcess {
  readonly processId: number
  readonly name: string
  readonly commandLine: string
}

/** All that a process started and what those started, as far as they are alive. */
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
      // It ended while the list was read.
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

/** Since the start of the process, or since `forgetPeak`. */
export const peakMegabytes = (processId: number): number => statusMegabytes(processId, 'VmHWM')

/** proc(5), clear_refs: 5 resets the peak resident set to the present one. */
export const forgetPeak = (processId: number): void => writeFileSync(`/proc/${processId}/clear_refs`, '5')

/** CPU time of a process, this one when none is named, and of all its descendants that have ended and were waited for. */
export const spentCpuSeconds = (processId: number = process.pid): number => {
  const fields = statFields(processId)
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond
}

/** CPU time that all processes of the machine have taken, or that its host has withheld (steal), summed over the cores. */
export const machineCpuSeconds = (): number => {
  const [, ...ticks] = (readFileSync('/proc/stat', 'latin1').split('\n')[0] ?? '').trim().split(/\s+/)
  // user nice system idle iowait irq softirq steal; what guests take is within user and nice.
  const [user, nice, system, , , irq, softirq, steal] = ticks.map(Number)
  return (
    [user, nice, system, irq, softirq, steal].reduce<number>((sum, one) => sum + (one ?? 0), 0) /
    ticksPerSecond
  )
}
