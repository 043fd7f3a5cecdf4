import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

export const runProgram = async (program: string, words: readonly string[]): Promise<string> =>
  (await run(program, [...words], { maxBuffer: 16_000_000 })).stdout
