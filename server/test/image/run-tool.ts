import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Runs a program and returns its output. Its last lines become the message when it fails. */
export const runTool = async (program: string, args: readonly string[], cwd?: string): Promise<string> => {
  try {
    const { stdout } = await run(program, args, {
      maxBuffer: 64 * 1024 * 1024,
      ...(cwd === undefined ? {} : { cwd }),
    })
    return stdout.trim()
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string }
    const last = `${stdout ?? ''}${stderr ?? ''}`.trim().split('\n').slice(-25).join('\n')
    throw new Error(`${program} ${args.slice(0, 8).join(' ')} failed:\n${last}`, { cause: error })
  }
}
