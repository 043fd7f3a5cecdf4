import { Zoetrope } from '@zoetrope/sdk'
import packageJson from '../package.json' with { type: 'json' }
import { asCalled } from './as-called.ts'
import { commandSet } from './command-set.ts'
import { confirm } from './confirm.ts'
import { findCredentials } from './credentials.ts'
import { describeError } from './describe-error.ts'
import { exitCodeOf, exitCodes } from './exit-codes.ts'
import { help, nounHelp, verbHelp } from './help.ts'
import { createOutput } from './output/output.ts'
import { findNoun, findVerb, parseCommandLine } from './parse-command-line.ts'

const { nouns, tools } = commandSet

/** Environment and streams of a command line. `process` satisfies it. */
export type Surroundings = Pick<NodeJS.Process, 'env' | 'stdin' | 'stdout' | 'stderr'>

const isHelp = (word: string | undefined): boolean => word === 'help' || word === '--help' || word === '-h'
const isHelpOption = (word: string): boolean => word === '--help' || word === '-h'

/** Returns the requested help text, or null for a command. */
const helpFor = ([first, ...rest]: readonly string[]): string | null => {
  const asked = first === undefined || isHelp(first)
  const [noun, verb, ...options] = asked ? rest : [first, ...rest]
  if (noun === undefined || (asked && noun === 'nouns')) return help(commandSet)
  const tool = Object.hasOwn(tools, noun) ? tools[noun] : undefined
  if (tool !== undefined) return asked || rest.some(isHelpOption) ? verbHelp(noun, tool) : null
  if (verb === undefined || isHelp(verb)) return nounHelp(noun, findNoun(nouns, noun))
  return asked || options.some(isHelpOption) ? verbHelp(`${noun} ${verb}`, findVerb(nouns, noun, verb)) : null
}

const run = async (words: readonly string[], surroundings: Surroundings): Promise<void> => {
  const { env, stdout, stderr } = surroundings
  if (words[0] === '--version') {
    stdout.write(`${packageJson.version}\n`)
    return
  }
  const text = helpFor(words)
  if (text !== null) {
    stdout.write(asCalled(text, env))
    return
  }
  const { command, options, positionals, apiBase, apiKey, isJson } = parseCommandLine(commandSet, words)
  const context = { output: createOutput(isJson, stdout, stderr), options, positionals }
  if (command.isLocal === true) return command.run(context)
  const credentials = await findCredentials({ apiBase, apiKey }, env)
  if (command.destroys !== undefined) await confirm(command.destroys, positionals, options, surroundings)
  const client = new Zoetrope({
    baseUrl: credentials.apiBase,
    apiKey: credentials.apiKey,
    onWarning: (warning) => stderr.write(`Warning: ${warning}\n`),
  })
  await command.run({ ...context, client, apiBase: credentials.apiBase })
}

/** Returns the exit status. Errors have been written to standard error. */
export const runCommandLine = async (
  words: readonly string[],
  surroundings: Surroundings,
): Promise<number> => {
  try {
    await run(words, surroundings)
    return exitCodes.done
  } catch (error) {
    surroundings.stderr.write(describeError(error as Error, words.includes('--json'), surroundings.env))
    return exitCodeOf(error)
  }
}
