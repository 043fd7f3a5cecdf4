import { completionsCommand } from './completions/completions-command.ts'
import { nouns } from './nouns.ts'
import { openapiCommand } from './openapi-command.ts'
import type { CommandSet } from './parse-command-line.ts'

export const commandSet: CommandSet = {
  nouns,
  tools: { openapi: openapiCommand, completions: completionsCommand(() => commandSet) },
}
