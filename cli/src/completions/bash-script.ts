import type { CompletionWords } from './completion-words.ts'

const cases = (table: Readonly<Record<string, readonly string[]>>): string =>
  Object.entries(table)
    .map(([name, words]) => `    '${name}') words='${words.join(' ')}' ;;`)
    .join('\n')

export const bashScript = ({
  first,
  verbs,
  options,
  values,
}: CompletionWords): string => `# Completions of zoetrope for bash.
_zoetrope() {
  local words='' current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local first="\${COMP_WORDS[1]:-}" command="\${COMP_WORDS[1]:-} \${COMP_WORDS[2]:-}"
  COMPREPLY=()
  local noun="$first" at=2
  if [ "$first" = help ] && [ "$COMP_CWORD" -eq 3 ]; then noun="\${COMP_WORDS[2]}" at=3; fi
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${first.join(' ')}' -- "$current"))
    return
  fi
  if [ "$COMP_CWORD" -eq "$at" ]; then
    case "$noun" in
${cases(verbs)}
    esac
  fi
  if [ -z "$words" ]; then
    case "$command $previous" in
${cases(values)}
    esac
  fi
  if [ -z "$words" ] && [[ "$current" == -* ]]; then
    case "$command" in
${cases(Object.fromEntries(Object.entries(options).filter(([name]) => name.includes(' '))))}
    esac
    [ -n "$words" ] || case "$first" in
${cases(Object.fromEntries(Object.entries(options).filter(([name]) => !name.includes(' '))))}
    esac
  fi
  [ -z "$words" ] || COMPREPLY=($(compgen -W "$words" -- "$current"))
}
# For everything else bash completes paths.
complete -o default -F _zoetrope zoetrope
`
