import type { ParseArgsOptionDescriptor } from 'node:util'
import type { Zoetrope } from '@zoetrope/sdk'
import type { Output } from './output.ts'

export type OptionValues = Readonly<Record<string, string | boolean | undefined>>

export interface CommandContext {
  readonly client: Zoetrope
  readonly output: Output
  readonly options: OptionValues
  /** As many as the command's `positionals`. */
  readonly positionals: readonly string[]
}

/** One verb of a noun. */
export interface Command {
  /** What follows noun and verb, e.g. `<id> --project <id>`. */
  readonly usage: string
  readonly summary: string
  /** What each positional is called when it is missing. */
  readonly positionals: readonly string[]
  readonly options: Readonly<Record<string, ParseArgsOptionDescriptor>>
  readonly required?: readonly string[]
  readonly run: (context: CommandContext) => Promise<void>
}

export interface Noun {
  readonly summary: string
  readonly verbs: Readonly<Record<string, Command>>
}
