import { createInterface } from 'node:readline/promises'
import type { OptionValues } from './command.ts'
import { stringOption } from './options.ts'
import { UsageError } from './usage-error.ts'

type Terminal = Pick<NodeJS.Process, 'stdin' | 'stderr'>

/** Ctrl-C at the question. In its raw mode, the terminal does not send SIGINT. */
export class InterruptedError extends Error {}

/** Returns no at the end of the input (Ctrl-D). */
const ask = async (question: string, { stdin, stderr }: Terminal): Promise<string> => {
  const terminal = createInterface({ input: stdin, output: stderr })
  try {
    return await new Promise<string>((resolve, reject) => {
      terminal.once('SIGINT', () => reject(new InterruptedError('Cancelled.')))
      terminal.once('close', () => resolve(''))
      terminal.question(question).then(resolve, reject)
    })
  } finally {
    terminal.close()
  }
}

/**
 * Asks the user for confirmation unless --yes is given. Throws UsageError without a terminal and when the
 * answer is no, and InterruptedError after Ctrl-C.
 */
export const confirm = async (
  what: string,
  positionals: readonly string[],
  options: OptionValues,
  terminal: Terminal,
): Promise<void> => {
  if (options['yes'] === true) return
  const project = stringOption(options, 'project')
  const place = project === undefined ? [] : ['of project', project]
  const sentence = [what, ...positionals.slice(-1), ...place].join(' ')
  if (!terminal.stdin.isTTY || !terminal.stderr.isTTY)
    throw new UsageError(`To ${sentence} without a terminal, add --yes.`)
  const answer = await ask(`${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}? [y/N] `, terminal)
  if (!/^y(?:es)?$/i.test(answer.trim())) throw new UsageError('Cancelled.')
}
