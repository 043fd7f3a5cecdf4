import { runCommand } from '../../src/app/run-command.ts'

export interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export type Environment = Readonly<Record<string, string>>

/** Collects output in a list. Like a pipe, it is no terminal. */
const sink = (parts: string[]): NodeJS.WriteStream & { fd: 1 & 2 } =>
  ({ isTTY: false, write: (text: string) => parts.push(text) > 0 }) as never

export const operate = async (
  env: Environment,
  name: string,
  ...words: readonly string[]
): Promise<Ended> => {
  const [stdout, stderr]: [string[], string[]] = [[], []]
  const code = await runCommand(name, words, { env, stdout: sink(stdout), stderr: sink(stderr) })
  return { code, stdout: stdout.join(''), stderr: stderr.join('') }
}
