/** What a command of the operator says: to programs one JSON document, to people sentences. */
export interface CommandOutput {
  /** Overwrites itself on a terminal; nothing elsewhere. */
  readonly progress: (line: string) => void
  readonly result: (record: object, text: string) => void
}

/** What a command is given besides its words; `process` is one. */
export type Surroundings = Pick<NodeJS.Process, 'env' | 'stdout' | 'stderr'>

export const createCommandOutput = (isJson: boolean, { stdout, stderr }: Surroundings): CommandOutput => ({
  progress: (line) => {
    if (stderr.isTTY) stderr.write(`\r\u001b[K  ${line} …`)
  },
  result: (record, text) => {
    if (stderr.isTTY) stderr.write('\r\u001b[K')
    stdout.write(isJson ? `${JSON.stringify(record, null, 2)}\n` : text)
  },
})
