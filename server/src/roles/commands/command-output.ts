/** What a command of the operator says: to programs one JSON document, to people sentences. */
export interface CommandOutput {
  /** Overwrites itself on a terminal; nothing elsewhere. */
  readonly progress: (line: string) => void
  readonly result: (record: object, text: string) => void
}

export const createCommandOutput = (isJson: boolean): CommandOutput => ({
  progress: (line) => {
    if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K  ${line} …`)
  },
  result: (record, text) => {
    if (process.stderr.isTTY) process.stderr.write('\r\u001b[K')
    process.stdout.write(isJson ? `${JSON.stringify(record, null, 2)}\n` : text)
  },
})
