import type { CompletionWords } from './completion-words.ts'

const words = (list: readonly string[]): string => `'${list.join(' ')}'`

const verbLines = (verbs: CompletionWords['verbs']): string[] =>
  Object.entries(verbs).flatMap(([noun, list]) =>
    [`1 ${noun}`, `2 help ${noun}`].map(
      (place) => `complete -c zoetrope -f -n '__zoetrope_at ${place}' -a ${words(list)}`,
    ),
  )

const optionLines = ({ options, values }: CompletionWords): string[] =>
  Object.entries(options).flatMap(([name, list]) =>
    list.map((option) => {
      const choice = values[`${name} ${option}`]
      const takes = choice === undefined ? '' : ` -x -a ${words(choice)}`
      return `complete -c zoetrope -n '__zoetrope_begins ${name}' -l ${option.slice(2)}${takes}`
    }),
  )

export const fishScript = (all: CompletionWords): string => `# Completions of zoetrope for fish.
function __zoetrope_at --description 'Whether the command line has exactly these words'
  set -l tokens (commandline -opc)
  test (count $tokens) -eq (math $argv[1] + 1); and test "$tokens[2..-1]" = "$argv[2..-1]"
end
function __zoetrope_begins --description 'Whether the command line begins with these words'
  set -l tokens (commandline -opc)
  set -l last (math (count $argv) + 1)
  test (count $tokens) -ge $last; and test "$tokens[2..$last]" = "$argv"
end
complete -c zoetrope -f -n '__zoetrope_at 0' -a ${words(all.first)}
${[...verbLines(all.verbs), ...optionLines(all)].join('\n')}
`
