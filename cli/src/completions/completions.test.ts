import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findProgram } from '../../../server/test/support/find-program.ts'
import { commandSet } from '../command-set.ts'
import { bashScript } from './bash-script.ts'
import { completionWords } from './completion-words.ts'
import { fishScript } from './fish-script.ts'
import { zshScript } from './zsh-script.ts'

const words = completionWords(commandSet)

/** Input before the tab key, and the completed last word. */
const typed = [
  ['zoetrope proj', 'projects'],
  ['./zoetrope proj', 'projects'],
  ['zoetrope --v', '--version'],
  ['zoetrope files repl', 'replace'],
  ['zoetrope help fi', 'files'],
  ['zoetrope help files repl', 'replace'],
  ['zoetrope completions z', 'zsh'],
  ['zoetrope files list --order-by t', 'title'],
  ['zoetrope files list --project 1 --order-by t', 'title'],
  ['zoetrope categories create --cus', '--custom-id'],
  ['zoetrope doctor --', '--json'],
  ['zoetrope worker-', 'worker-token'],
  ['zoetrope accounts dis', 'disable'],
  ['zoetrope keys rotate-l', 'rotate-links'],
  ['zoetrope keys rotate-links --old', '--old-until'],
] as const

const expected = typed.map(([, word]) => word)

/** A line without completions of ours: the shell completes the path. */
const path = ['zoetrope files upload inter', 'interview.mp4'] as const

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-completions-'))
  await writeFile(join(folder, 'interview.mp4'), '')
  for (const [shell, script] of [
    ['zsh', zshScript],
    ['fish', fishScript],
  ] as const)
    await writeFile(join(folder, `completions.${shell}`), script(words))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

const run = (program: string, args: readonly string[], input = '') =>
  spawnSync(program, args, {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, TERM: 'dumb' },
    input,
    encoding: 'utf8',
    // A shell that waits forever would block all tests.
    timeout: 200_000,
    killSignal: 'SIGKILL',
  })

test('bash completes nouns, verbs, options and their values', () => {
  const lines = typed.map(([line]) => {
    const list = line.split(' ')
    return `COMP_WORDS=(${list.join(' ')}); COMP_CWORD=${list.length - 1}; _zoetrope; echo "\${COMPREPLY[@]}"`
  })
  const { stdout, stderr } = run('bash', ['-c', `${bashScript(words)}\n${lines.join('\n')}`])
  expect(stderr).toBe('')
  expect(stdout.trim().split('\n')).toEqual(expected)
})

test('bash completes paths with special characters', () => {
  const script = `${bashScript(words)}
    COMP_WORDS=(zoetrope files upload 'a'); COMP_CWORD=3
    _zoetrope; echo "\${#COMPREPLY[@]}"; complete -p zoetrope`
  expect(run('bash', ['-c', script]).stdout).toBe('0\ncomplete -o default -F _zoetrope zoetrope\n')
})

test('fish completes nouns, verbs, options, values and paths', async (context) => {
  const fish = await findProgram('fish')
  if (fish === null) return context.skip('there is no fish on this machine')
  const lines = [...typed, path].map(([line]) => `complete -C '${line}' | string join ' '`)
  const { stdout, stderr } = run(fish, ['-N', '-c', `source completions.fish\n${lines.join('\n')}`])
  expect(stderr).toBe('')
  expect(stdout.trim().split('\n')).toEqual([...expected, path[1]])
})

/** Completion belongs to the line editor of zsh, which needs a terminal: zsh creates one for an inner zsh. */
const zshDriver = `
zmodload zsh/zpty
zpty -b inner zsh -f -i
zpty -w inner "unsetopt prompt_cr prompt_sp; autoload -Uz compinit; compinit -D -u; source ./completions.zsh
show() { print -r -- '<<'\\$BUFFER'>>'; BUFFER= }; zle -N show; bindkey '^X' show; echo RE''ADY"
zpty -r inner out '*READY*'
while read -r line; do
  zpty -w -n inner "$line"$'\\t\\x18'
  zpty -r inner out '*>>*'
  print -r -- "\${\${out##*<<}%%>>*}"
done
zpty -d inner
`

test('zsh completes nouns, verbs, options, values and paths', async (context) => {
  const zsh = await findProgram('zsh')
  if (zsh === null) return context.skip('there is no zsh on this machine')
  const lines = [...typed, path].map(([line]) => line)
  const { stdout } = run(zsh, ['-f', '-c', zshDriver], `${lines.join('\n')}\n`)
  const completed = lines.map((line, index) => line.replace(/\S+$/, [...expected, path[1]][index] ?? ''))
  expect(stdout.trim().split(/ *\n/)).toEqual(completed)
})
