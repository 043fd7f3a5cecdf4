import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { runCommand } from '../../src/roles/commands/run-command.ts'
import { compileCache } from './product.ts'

const mainScript = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

export interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

type Environment = Readonly<Record<string, string>>

/** Collects output in a list. Like a pipe, it is no terminal. */
const sink = (parts: string[]): NodeJS.WriteStream & { fd: 1 & 2 } =>
  ({ isTTY: false, write: (text: string) => parts.push(text) > 0 }) as never

/** Runs `doctor`, `backup` or `restore` in this process. */
export const operate = async (
  env: Environment,
  name: string,
  ...words: readonly string[]
): Promise<Ended> => {
  const [stdout, stderr]: [string[], string[]] = [[], []]
  const code = await runCommand(name, words, { env, stdout: sink(stdout), stderr: sink(stderr) })
  return { code, stdout: stdout.join(''), stderr: stderr.join('') }
}

/** Runs the program as a process, as `./zoetrope` does. */
export const runProgram = async (env: Environment, ...words: readonly string[]): Promise<Ended> => {
  const child = spawn(process.execPath, [mainScript, ...words], {
    env: { PATH: process.env['PATH'] ?? '', NODE_COMPILE_CACHE: await compileCache(), ...env },
  })
  const [stdout, stderr, [code]] = await Promise.all([
    child.stdout.toArray(),
    child.stderr.toArray(),
    once(child, 'close') as Promise<[number]>,
  ])
  return { code, stdout: stdout.join(''), stderr: stderr.join('') }
}
