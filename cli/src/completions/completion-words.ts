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
  serve: ['--role'],
  install: ['--production'],
  test: ['--quick', '--changed', '--only'],
  migrate: ['--secrets', '--json'],
  doctor: ['--json'],
  backup: ['--recipient', '--json'],
  restore: ['--identity', '--json'],
  accounts: ['--json'],
  mail: ['--json'],
  worker: ['--server', '--token-file', '--slots'],
  'worker-token': ['--json'],
  'process-keys': ['--json'],
  database: ['--sql', '--json'],
  'keys rotate-links': ['--old-until', '--json'],
  'keys rotate-master': ['--json'],
}

/** Second words of the launcher's commands. `keys` is also a noun. */
const launcherVerbs: Readonly<Record<string, readonly string[]>> = {
  accounts: ['list', 'create', 'disable', 'enable'],
  mail: ['test'],
  'worker-token': ['list', 'create', 'revoke', 'resume'],
  'process-keys': ['worker', 'live'],
  database: ['roles'],
  keys: ['rotate-links', 'rotate-master'],
}

const launcherWords = Object.keys(ofLauncher).filter((name) => !name.includes(' '))

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
    first: [...Object.keys(nouns), ...Object.keys(tools), ...launcherWords, 'help', '--version'],
    verbs: {
      ...launcherVerbs,
      ...Object.fromEntries(
        Object.entries(nouns).map(([noun, { verbs }]) => [
          noun,
          [...Object.keys(verbs), ...(launcherVerbs[noun] ?? [])],
        ]),
      ),
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
