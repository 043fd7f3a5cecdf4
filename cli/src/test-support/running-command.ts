import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { compileCache } from '../../../server/test/support/compile-cache.ts'

const main = new URL('../main.ts', import.meta.url).pathname
const NODE_COMPILE_CACHE = compileCache

export interface RunningCommand {
  readonly lines: readonly string[]
  /** Resolves with the first matching line. Rejects when the command ends first. */
  readonly line: (pattern: RegExp) => Promise<string>
  readonly exited: Promise<NodeJS.Signals | number | null>
  /** Sends the signal, by default that of Ctrl-C, and resolves with the exit code or signal. */
  readonly end: (signal?: NodeJS.Signals) => Promise<NodeJS.Signals | number | null>
}

export const startCommand = (
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): RunningCommand => {
  const child = spawn(process.execPath, [main, ...words], {
    env: { PATH: process.env['PATH'] ?? '', NODE_COMPILE_CACHE, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>
  const exited = ended.then(([code, by]) => by ?? code)
  const lines: string[] = []
  const checks = new Set<() => void>()
  let complaints = ''
  child.stderr.on('data', (part: Buffer) => (complaints += String(part)))
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line)
    for (const check of checks) check()
  })
  return {
    lines,
    line: (pattern) =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          const found = lines.find((line) => pattern.test(line))
          if (found === undefined) return
          checks.delete(check)
          resolve(found)
        }
        checks.add(check)
        check()
        void ended.then(() => reject(new Error(`It ended before ${String(pattern)}: ${complaints}`)))
      }),
    exited,
    end: (signal = 'SIGINT') => {
      child.kill(signal)
      return exited
    },
  }
}
