import { parseArgs } from 'node:util'
import type { Command, Noun, OptionValues } from './command.ts'
import { flag, stringOption, text } from './options.ts'
import { UsageError } from './usage-error.ts'

export interface ParsedCommand {
  readonly command: Command
  readonly options: OptionValues
  readonly positionals: readonly string[]
  readonly apiBase: string | undefined
  readonly apiKey: string | undefined
  readonly isJson: boolean
}

const globalOptions = { 'api-base': text, 'api-key': text, json: flag } as const

/** Own properties only: `zoetrope constructor` is no noun. */
const lookUp = <T>(table: Readonly<Record<string, T>>, name: string, what: string): T => {
  const found = Object.hasOwn(table, name) ? table[name] : undefined
  if (found === undefined)
    throw new UsageError(`There is no ${what} "${name}"; there are ${Object.keys(table).join(', ')}.`)
  return found
}

export const findNoun = (nouns: Readonly<Record<string, Noun>>, name: string): Noun =>
  lookUp(nouns, name, 'noun')

export const findVerb = (
  nouns: Readonly<Record<string, Noun>>,
  nounName: string,
  verbName: string,
): Command => lookUp(findNoun(nouns, nounName).verbs, verbName, `verb of ${nounName}`)

/** Throws UsageError on anything that the command does not take or lacks. */
export const parseCommandLine = (
  nouns: Readonly<Record<string, Noun>>,
  [nounName = '', verbName = '', ...rest]: readonly string[],
): ParsedCommand => {
  const command = findVerb(nouns, nounName, verbName)
  const usage = `Usage: zoetrope ${nounName} ${verbName} ${command.usage}`.trimEnd()
  let parsed: { values: OptionValues; positionals: string[] }
  try {
    const { values, positionals } = parseArgs({
      args: [...rest],
      options: { ...command.options, ...globalOptions },
      allowPositionals: true,
      strict: true,
    })
    parsed = { values, positionals }
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n${usage}`)
  }
  const { values, positionals } = parsed
  const missing = command.positionals[positionals.length]
  if (missing !== undefined) throw new UsageError(`The ${missing} is missing.\n${usage}`)
  const extra = positionals[command.positionals.length]
  if (extra !== undefined) throw new UsageError(`"${extra}" is too much.\n${usage}`)
  for (const name of command.required ?? [])
    if (stringOption(values, name) === undefined) throw new UsageError(`--${name} is missing.\n${usage}`)
  return {
    command,
    options: values,
    positionals,
    apiBase: stringOption(values, 'api-base'),
    apiKey: stringOption(values, 'api-key'),
    isJson: values['json'] === true,
  }
}
