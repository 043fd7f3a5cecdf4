import { asCalled } from './as-called.ts'

/** What a command of the operator says: to programs one JSON document, to people sentences. */
export interface CommandOutput {
  /** Overwrites itself on a terminal; nothing elsewhere. */
  readonly progress: (line: string) => void
  readonly result: (record: object, text: string) => void
}

/** What a command is given besides its words; `process` is one. */
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
