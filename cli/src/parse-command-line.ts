import { parseArgs } from 'node:util'
import type { Command, CommandOption, Noun, OptionValues } from './command.ts'
import { flag, flagOption, stringOption, text } from './options.ts'
import { nearestOf } from './nearest-of.ts'
import { UsageError } from './usage-error.ts'

export interface ParsedCommand {
  readonly command: Command
  readonly options: OptionValues
  readonly positionals: readonly string[]
  readonly apiBase: string | undefined
  readonly apiKey: string | undefined
  readonly isJson: boolean
}

export interface CommandSet {
  readonly nouns: Readonly<Record<string, Noun>>
  readonly tools: Readonly<Record<string, Command>>
}

export const globalOptions = { 'api-base': text, 'api-key': text, json: flag } as const

export const optionsOf = (command: Command): Readonly<Record<string, CommandOption>> => ({
  ...command.options,
  ...(command.destroys === undefined ? {} : { yes: flagOption('do not ask for confirmation') }),
  ...globalOptions,
})

/** Looks up own properties only: `zoetrope constructor` is no noun. */
const lookUp = <T>(table: Readonly<Record<string, T>>, name: string, what: string): T => {
  const found = Object.hasOwn(table, name) ? table[name] : undefined
  if (found !== undefined) return found
  const names = Object.keys(table)
  const near = nearestOf(name, names)
  const help = near === null ? `Expected one of: ${names.join(', ')}.` : `Did you mean "${near}"?`
  throw new UsageError(`Unknown ${what} "${name}". ${help}`)
}

export const findNoun = (nouns: Readonly<Record<string, Noun>>, name: string): Noun =>
  lookUp(nouns, name, 'noun')

export const findVerb = (
  nouns: Readonly<Record<string, Noun>>,
  nounName: string,
  verbName: string,
): Command => lookUp(findNoun(nouns, nounName).verbs, verbName, `verb of ${nounName}`)

/**
 * Returns the message of `parseArgs`, with the closest option instead of its advice on names starting with a
 * dash.
 */
const describeParseError = ({ message }: Error, options: readonly string[]): string => {
  const [sentence = message] = message.split(/\. (?=To specify)/)
  const typed = /^Unknown option '--(.+)'/.exec(sentence)?.[1]
  const near = typed === undefined ? null : nearestOf(typed, options)
  return near === null ? sentence : `${sentence}. Did you mean --${near}?`
}

const checkPositionals = (command: Command, positionals: readonly string[], usage: string): void => {
  const missing = command.positionals[positionals.length]
  if (missing !== undefined) throw new UsageError(`The ${missing} is missing.\n${usage}`)
  const extra = positionals[command.positionals.length]
  if (extra !== undefined && command.isVariadic !== true)
    throw new UsageError(`Unexpected argument "${extra}".\n${usage}`)
}

/** Throws UsageError for unknown or missing words and options. */
export const parseCommandLine = ({ nouns, tools }: CommandSet, words: readonly string[]): ParsedCommand => {
  const [first = '', second = ''] = words
  const tool = Object.hasOwn(tools, first) ? tools[first] : undefined
  const command = tool ?? findVerb(nouns, first, second)
  const rest = words.slice(tool === undefined ? 2 : 1)
  const name = tool === undefined ? `${first} ${second}` : first
  const usage = `Usage: ./zoetrope ${name} ${command.usage}`.trimEnd()
  let parsed: { values: OptionValues; positionals: string[] }
  try {
    const { values, positionals } = parseArgs({
      args: rest,
      options: optionsOf(command),
      allowPositionals: true,
      // `--no-is-default` means false.
      allowNegative: true,
      strict: true,
    })
    parsed = { values, positionals }
  } catch (error) {
    throw new UsageError(`${describeParseError(error as Error, Object.keys(optionsOf(command)))}\n${usage}`)
  }
  const { values, positionals } = parsed
  checkPositionals(command, positionals, usage)
  for (const option of command.required ?? [])
    if (stringOption(values, option) === undefined) throw new UsageError(`--${option} is missing.\n${usage}`)
  return {
    command,
    options: values,
    positionals,
    apiBase: stringOption(values, 'api-base'),
    apiKey: stringOption(values, 'api-key'),
    isJson: values['json'] === true,
  }
}
