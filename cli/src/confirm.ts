import { createInterface } from 'node:readline/promises'
import type { OptionValues } from './command.ts'
import { stringOption } from './options.ts'
import { UsageError } from './usage-error.ts'

/**
 * Asks the user for confirmation unless --yes is given. Throws UsageError without a terminal, and when the
 * answer is no.
 */
export const confirm = async (
  what: string,
  positionals: readonly string[],
  options: OptionValues,
  { stdin, stderr }: Pick<NodeJS.Process, 'stdin' | 'stderr'>,
): Promise<void> => {
  if (options['yes'] === true) return
  const project = stringOption(options, 'project')
  const place = project === undefined ? [] : ['of project', project]
  const sentence = [what, ...positionals.slice(-1), ...place].join(' ')
  if (!stdin.isTTY || !stderr.isTTY) throw new UsageError(`To ${sentence} without a terminal, add --yes.`)
  const terminal = createInterface({ input: stdin, output: stderr })
  try {
    const answer = await terminal.question(`${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}? [y/N] `)
    if (!/^y(?:es)?$/i.test(answer.trim())) throw new UsageError('Cancelled.')
  } finally {
    terminal.close()
  }
}
