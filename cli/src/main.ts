import { ApiError, Zoetrope } from '@zoetrope/sdk'
import type { Noun } from './command.ts'
import { findCredentials } from './credentials.ts'
import { help, nounHelp } from './help.ts'
import { files } from './nouns/files.ts'
import { keys } from './nouns/keys.ts'
import { projects } from './nouns/projects.ts'
import { webhooks } from './nouns/webhooks.ts'
import { createOutput } from './output.ts'
import { findNoun, parseCommandLine } from './parse-command-line.ts'
import { UsageError } from './usage-error.ts'

const nouns: Readonly<Record<string, Noun>> = { projects, files, webhooks, keys }

const isHelp = (word: string | undefined): boolean => word === 'help' || word === '--help' || word === '-h'

/** What is asked for instead of a command; null when it is a command. */
const helpFor = ([first, second]: readonly string[]): string | null => {
  if (first === undefined || isHelp(first))
    return second === undefined ? help(nouns) : nounHelp(second, findNoun(nouns, second))
  return second === undefined || isHelp(second) ? nounHelp(first, findNoun(nouns, first)) : null
}

const run = async (words: readonly string[]): Promise<void> => {
  const text = helpFor(words)
  if (text !== null) {
    process.stdout.write(text)
    return
  }
  const { command, options, positionals, apiBase, apiKey, isJson } = parseCommandLine(nouns, words)
  const credentials = await findCredentials({ apiBase, apiKey }, process.env)
  await command.run({
    client: new Zoetrope({ baseUrl: credentials.apiBase, apiKey: credentials.apiKey }),
    output: createOutput(isJson, process.stdout, process.stderr),
    options,
    positionals,
  })
}

try {
  await run(process.argv.slice(2))
} catch (error) {
  const requestId =
    error instanceof ApiError && error.requestId !== null ? `\nRequest id: ${error.requestId}` : ''
  process.stderr.write(`${(error as Error).message}${requestId}\n`)
  process.exitCode = error instanceof UsageError ? 2 : 1
}
