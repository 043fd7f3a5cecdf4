import type { Command } from '../command.ts'
import { positional } from '../options.ts'
import type { CommandSet } from '../parse-command-line.ts'
import { UsageError } from '../usage-error.ts'
import { bashScript } from './bash-script.ts'
import { completionWords, type CompletionWords } from './completion-words.ts'
import { fishScript } from './fish-script.ts'
import { zshScript } from './zsh-script.ts'

const scripts: Readonly<Record<string, (words: CompletionWords) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}

export const completionsCommand = (set: () => CommandSet): Command => ({
  isLocal: true,
  usage: '<bash|zsh|fish>',
  summary: 'Print a completion script for your shell',
  details: `Requires zoetrope in PATH, as docs/command-line.md shows:

  source <(zoetrope completions bash)                                   # in ~/.bashrc
  source <(zoetrope completions zsh)                                    # in ~/.zshrc, after compinit
  zoetrope completions fish > ~/.config/fish/completions/zoetrope.fish`,
  positionals: ['shell'],
  options: {},
  run: async (context) => {
    const shell = positional(context, 0)
    const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined
    if (script === undefined)
      throw new UsageError(`Unknown shell "${shell}". Completions exist for bash, zsh and fish.`)
    context.output.text(script(completionWords(set())))
  },
})
