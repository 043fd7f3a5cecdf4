import { asCalled } from './as-called.ts'

/** Output of an operator command: one JSON document for programs, sentences for people. */
export interface CommandOutput {
  /** Rewrites its line on a terminal. Prints nothing elsewhere. */
  readonly progress: (line: string) => void
  readonly result: (record: object, text: string) => void
}

/** Environment and streams of a command. `process` satisfies it. */
export type Surroundings = Pick<NodeJS.Process, 'env' | 'stdout' | 'stderr'>

export const createCommandOutput = (
  isJson: boolean,
  { env, stdout, stderr }: Surroundings,
): CommandOutput => ({
  progress: (line) => {
    if (stderr.isTTY) stderr.write(`\r\u001b[K  ${line} …`)
  },
  result: (record, text) => {
    if (stderr.isTTY) stderr.write('\r\u001b[K')
    const called = (_key: string, value: unknown): unknown =>
      typeof value === 'string' ? asCalled(value, env) : value
    stdout.write(isJson ? `${JSON.stringify(record, called, 2)}\n` : asCalled(text, env))
  },
})
