import type { Command } from '../command.ts'
import { optionsOf, type CommandSet } from '../parse-command-line.ts'

/** Possible completions. They contain only words that shells take literally. */
export interface CompletionWords {
  readonly first: readonly string[]
  /** By noun, which may follow `help`. */
  readonly verbs: Readonly<Record<string, readonly string[]>>
  /** By `noun verb`, or by a command of one word. */
  readonly options: Readonly<Record<string, readonly string[]>>
  /** By `noun verb --option`. */
  readonly values: Readonly<Record<string, readonly string[]>>
}

/** Commands of the `./zoetrope` launcher itself, with their options. */
const ofLauncher: Readonly<Record<string, readonly string[]>> = {
  up: [],
  install: [],
  test: ['--only'],
  doctor: ['--json'],
  backup: ['--recipient', '--json'],
  restore: ['--identity', '--json'],
}

const optionWords = (command: Command): string[] => Object.keys(optionsOf(command)).map((name) => `--${name}`)

const valueWords = (name: string, command: Command): [string, readonly string[]][] =>
  Object.entries(command.options).flatMap(([option, { values }]): [string, readonly string[]][] =>
    values === undefined ? [] : [[`${name} --${option}`, values]],
  )

export const completionWords = ({ nouns, tools }: CommandSet): CompletionWords => {
  const commands: [string, Command][] = [
    ...Object.entries(tools),
    ...Object.entries(nouns).flatMap(([noun, { verbs }]) =>
      Object.entries(verbs).map(([verb, command]): [string, Command] => [`${noun} ${verb}`, command]),
    ),
  ]
  return {
    first: [...Object.keys(nouns), ...Object.keys(tools), ...Object.keys(ofLauncher), 'help'],
    verbs: {
      ...Object.fromEntries(Object.entries(nouns).map(([noun, { verbs }]) => [noun, Object.keys(verbs)])),
      help: Object.keys(nouns),
      completions: ['bash', 'zsh', 'fish'],
    },
    options: {
      ...ofLauncher,
      ...Object.fromEntries(commands.map(([name, one]) => [name, optionWords(one)])),
    },
    values: Object.fromEntries(commands.flatMap(([name, one]) => valueWords(name, one))),
  }
}
