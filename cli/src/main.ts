import { ApiError, Zoetrope } from '@zoetrope/sdk'
import type { Noun } from './command.ts'
import { findCredentials } from './credentials.ts'
import { help, nounHelp, verbHelp } from './help.ts'
import { files } from './nouns/files.ts'
import { keys } from './nouns/keys.ts'
import { projects } from './nouns/projects.ts'
import { webhooks } from './nouns/webhooks.ts'
import { createOutput } from './output.ts'
import { findNoun, findVerb, parseCommandLine } from './parse-command-line.ts'
import { UsageError } from './usage-error.ts'

const nouns: Readonly<Record<string, Noun>> = { projects, files, webhooks, keys }

const isHelp = (word: string | undefined): boolean => word === 'help' || word === '--help' || word === '-h'

/** What is asked for instead of a command; null when it is a command. */
const helpFor = ([first, ...rest]: readonly string[]): string | null => {
  const asked = first === undefined || isHelp(first)
  const [noun, verb, ...options] = asked ? rest : [first, ...rest]
  if (noun === undefined) return help(nouns)
  if (verb === undefined || isHelp(verb)) return nounHelp(noun, findNoun(nouns, noun))
  return asked || options.some((word) => word === '--help' || word === '-h')
    ? verbHelp(`${noun} ${verb}`, findVerb(nouns, noun, verb))
    : null
}

const run = async (words: readonly string[]): Promise<void> => {
  const text = helpFor(words)
  if (text !== null) {
    process.stdout.write(text)
    return
  }
  const { command, options, positionals, apiBase, apiKey, isJson } = parseCommandLine(nouns, words)
  const context = { output: createOutput(isJson, process.stdout, process.stderr), options, positionals }
  if (command.isLocal === true) return command.run(context)
  const credentials = await findCredentials({ apiBase, apiKey }, process.env)
  const client = new Zoetrope({ baseUrl: credentials.apiBase, apiKey: credentials.apiKey })
  await command.run({ ...context, client })
}

// Who reads our output may have seen enough, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit()
  throw error
})

try {
  await run(process.argv.slice(2))
} catch (error) {
  const requestId =
    error instanceof ApiError && error.requestId !== null ? `\nRequest id: ${error.requestId}` : ''
  process.stderr.write(`${(error as Error).message}${requestId}\n`)
  process.exitCode = error instanceof UsageError ? 2 : 1
}
