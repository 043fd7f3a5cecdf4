import { execFileSync } from 'node:child_process'
import { cpus, loadavg, release, totalmem } from 'node:os'

export interface MachineFacts {
  readonly cpu: string
  readonly cores: number
  readonly memoryGigabytes: number
  readonly kernel: string
  readonly fileSystem: string
  readonly node: string
  readonly ffmpeg: string
  readonly commit: string
  readonly startedAt: string
  readonly loadBefore: number
}

const firstLine = (command: string, args: readonly string[]): string => {
  try {
    return (
      execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).split('\n')[0] ??
      ''
    )
  } catch {
    return 'unknown'
  }
}

export const readMachineFacts = (workFolder: string): MachineFacts => ({
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  memoryGigabytes: Math.round(totalmem() / 1e9),
  kernel: release(),
  fileSystem: firstLine('stat', ['-f', '-c', '%T', workFolder]),
  node: process.version,
  ffmpeg: firstLine('ffmpeg', ['-version']).split(' ')[2] ?? 'unknown',
  commit: firstLine('git', ['describe', '--always', '--dirty']),
  startedAt: new Date().toISOString(),
  loadBefore: loadavg()[0] ?? 0,
})

export const describeFacts = (facts: MachineFacts): string =>
  [
    `${facts.cores} × ${facts.cpu}, ${facts.memoryGigabytes} GB, Linux ${facts.kernel}, ${facts.fileSystem}`,
    `node ${facts.node}, ffmpeg ${facts.ffmpeg}, commit ${facts.commit}, ${facts.startedAt}, load ${facts.loadBefore.toFixed(2)}`,
  ].join('\n')
