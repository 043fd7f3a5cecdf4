import type { CompletionWords } from './completion-words.ts'

const cases = (table: Readonly<Record<string, readonly string[]>>): string =>
  Object.entries(table)
    .map(([name, words]) => `    '${name}') found=(${words.join(' ')}) ;;`)
    .join('\n')

export const zshScript = ({ first, verbs, options, values }: CompletionWords): string => `#compdef zoetrope
# Completions of zoetrope for zsh.
_zoetrope() {
  local -a found
  local first="\${words[2]:-}" command="\${words[2]:-} \${words[3]:-}" previous="\${words[CURRENT-1]}"
  local noun="$first" at=3
  if [[ "$first" == help ]] && (( CURRENT == 4 )); then noun="\${words[3]}" at=4; fi
  if (( CURRENT == 2 )); then
    compadd -- ${first.join(' ')}
    return
  fi
  if (( CURRENT == at )); then
    case "$noun" in
${cases(verbs)}
    esac
  fi
  if (( ! $#found )); then
    case "$command $previous" in
${cases(values)}
    esac
  fi
  if (( ! $#found )) && [[ "\${words[CURRENT]}" == -* ]]; then
    case "$command" in
${cases(Object.fromEntries(Object.entries(options).filter(([name]) => name.includes(' '))))}
    esac
    (( $#found )) || case "$first" in
${cases(Object.fromEntries(Object.entries(options).filter(([name]) => !name.includes(' '))))}
    esac
  fi
  if (( $#found )); then compadd -- $found; else _files; fi
}
if [ "\${funcstack[1]}" = "_zoetrope" ]; then _zoetrope "$@"; else compdef _zoetrope zoetrope; fi
`
