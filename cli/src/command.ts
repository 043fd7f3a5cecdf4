import type { ParseArgsOptionDescriptor } from 'node:util'
import type { OperationId, Zoetrope } from '@zoetrope/sdk'
import type { Output } from './output.ts'

/** An option that may be given several times is a list. */
export type OptionValues = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>

/** As `parseArgs` takes it, and what the help of the verb says of it. */
export interface CommandOption extends ParseArgsOptionDescriptor {
  readonly help?: string
  /** All that it takes, where that is a closed set. */
  readonly values?: readonly string[]
}

export interface LocalContext {
  readonly output: Output
  readonly options: OptionValues
  /** As many as the command's `positionals`. */
  readonly positionals: readonly string[]
}

export interface CommandContext extends LocalContext {
  readonly client: Zoetrope
  /** Ends with the version, without a slash behind it. */
  readonly apiBase: string
}

interface CommandShape {
  /** What follows noun and verb, e.g. `<id> --project <id>`. */
  readonly usage: string
  readonly summary: string
  /** More for the help of this verb: whole sentences, examples. */
  readonly details?: string
  /** What each positional is called when it is missing. */
  readonly positionals: readonly string[]
  readonly options: Readonly<Record<string, CommandOption>>
  readonly required?: readonly string[]
  /** The last positional may be given several times. */
  readonly isVariadic?: true
  /** What it does that cannot be taken back at once, such as `delete file`: asked before, or confirmed by --yes. */
  readonly destroys?: string
}

interface ApiCommand extends CommandShape {
  readonly isLocal?: false
  /** What it does of the API. */
  readonly operations: readonly OperationId[]
  readonly run: (context: CommandContext) => Promise<void>
}

/** Works on this machine alone, without an API key. */
interface LocalCommand extends CommandShape {
  readonly isLocal: true
  readonly run: (context: LocalContext) => Promise<void>
}

/** One verb of a noun. */
export type Command = ApiCommand | LocalCommand

export interface Noun {
  readonly summary: string
  readonly verbs: Readonly<Record<string, Command>>
}
