import type { ParseArgsOptionDescriptor } from 'node:util'
import type { OperationId, Zoetrope } from '@zoetrope/sdk'
import type { Output } from './output/output.ts'

/** A repeatable option is a list. */
export type OptionValues = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>

/** Input of `parseArgs` with the help text of the option. */
export interface CommandOption extends ParseArgsOptionDescriptor {
  readonly help?: string
  readonly values?: readonly string[]
}

export interface LocalContext {
  readonly output: Output
  readonly options: OptionValues
  readonly positionals: readonly string[]
}

export interface CommandContext extends LocalContext {
  readonly client: Zoetrope
  /** Ends with the version, without a trailing slash. */
  readonly apiBase: string
}

interface CommandShape {
  /** Arguments after noun and verb, e.g. `<id> --project <id>`. */
  readonly usage: string
  readonly summary: string
  /** Sentences and examples for the help of this verb. */
  readonly details?: string
  /** Name of each positional in the error when it is missing. */
  readonly positionals: readonly string[]
  readonly options: Readonly<Record<string, CommandOption>>
  readonly required?: readonly string[]
  /** Whether the last positional may be repeated. */
  readonly isVariadic?: true
  /** An action that cannot be undone at once, such as `delete file`. It requires a confirmation or --yes. */
  readonly destroys?: string
}

interface ApiCommand extends CommandShape {
  readonly isLocal?: false
  readonly operations: readonly OperationId[]
  readonly run: (context: CommandContext) => Promise<void>
}

/** A command that works on this machine only, without an API key. */
interface LocalCommand extends CommandShape {
  readonly isLocal: true
  readonly run: (context: LocalContext) => Promise<void>
}

export type Command = ApiCommand | LocalCommand

export interface Noun {
  readonly summary: string
  readonly verbs: Readonly<Record<string, Command>>
}
