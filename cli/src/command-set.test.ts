import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { commandSet } from './command-set.ts'
import { parseCommandLine } from './parse-command-line.ts'

/** Operations without a verb, with the reason. */
const leftOut = {
  signIn: 'an API key is how the command line signs in',
  signInByLink: 'it is for the browser of the first administrator',
  signOut: 'it has no session',
  getSession: 'it has no session; users me shows who it is',
  changePassword: 'it wants the session of the person',
  requestPasswordReset: 'the person does it in a browser',
  acceptInvitation: 'the person does it in a browser',
  finishSignIn: 'the person does it in a browser',
  startPasskeySignIn: 'the person does it in a browser',
  signInByPasskey: 'the person does it in a browser',
  startConfirmation: 'the person does it in a browser',
  confirmSession: 'the person does it in a browser',
  getFactors: 'the person does it in a browser',
  startPasskey: 'the person does it in a browser',
  createPasskey: 'the person does it in a browser',
  updatePasskey: 'the person does it in a browser',
  deletePasskey: 'the person does it in a browser',
  startTotp: 'the person does it in a browser',
  confirmTotp: 'the person does it in a browser',
  deleteTotp: 'the person does it in a browser',
  createRecoveryCodes: 'the person does it in a browser',
  endOtherSessions: 'it has no session; sessions end takes any',
  createTusUpload: 'tus clients make their uploads themselves; files upload needs none',
} as const

const verbs = Object.entries(commandSet.nouns).flatMap(([noun, { verbs: own }]) =>
  Object.entries(own).map(([verb, command]) => ({ name: `${noun} ${verb}`, command })),
)

test('every operation of the API has a verb or a stated reason for having none', async () => {
  const text = await readFile(new URL('../../server/openapi.json', import.meta.url), 'utf8')
  const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, { operationId?: string }>> }
  const ids = Object.entries(paths).flatMap(([path, methods]) =>
    path.startsWith('/v3/') ? Object.values(methods).flatMap(({ operationId }) => operationId ?? []) : [],
  )
  const reached = new Set<string>(
    verbs.flatMap(({ command }) => (command.isLocal === true ? [] : command.operations)),
  )
  expect(ids.filter((id) => !reached.has(id)).sort()).toEqual(Object.keys(leftOut).sort())
  expect([...reached].filter((id) => !ids.includes(id))).toEqual([])
})

test('destructive verbs ask for confirmation', () => {
  const asking = verbs.filter(({ command }) => command.destroys !== undefined).map(({ name }) => name)
  const dangerous = verbs.filter(({ name }) => / (?:delete|revoke|end|stop|reset-key|disconnect)$/.test(name))
  expect(asking).toEqual(expect.arrayContaining(dangerous.map(({ name }) => name)))
})

test('no verb redefines a global option, and every option has a help text', () => {
  for (const { name, command } of verbs)
    for (const option of Object.keys(command.options))
      expect(`${name} ${option}`).not.toMatch(/ (?:json|api-base|api-key|yes|help)$/)
})

/**
 * Splits command lines into words as a user types them: without quotation marks, redirections and comments.
 */
const typedLines = (text: string): string[][] =>
  [...text.matchAll(/^ *(?:\.\/)?zoetrope ([a-z]+ [^\n]*)$/gm)].map(([, line = '']) =>
    [...line.replace(/\s+(?:#|>|\|).*$/, '').matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
      ([, single, double, plain]) => single ?? double ?? plain ?? '',
    ),
  )

const wordsOfLauncher = new Set([
  'up',
  'serve',
  'test',
  'install',
  'worker',
  'worker-token',
  'help',
  'doctor',
  'backup',
  'restore',
  'accounts',
  'mail',
  'migrate',
])

/** Other verbs of `keys` are those of the API. */
const keysOfLauncher = new Set(['rotate-links', 'rotate-master'])

test('every example in the help and the documentation is a valid command with valid option values', async () => {
  const docs = new URL('../../docs/', import.meta.url)
  const pages = (await readdir(docs)).filter((name) => name.endsWith('.md'))
  const texts = [
    ...verbs.map(({ command }) => command.details ?? ''),
    ...(await Promise.all(pages.map((name) => readFile(new URL(name, docs), 'utf8')))),
    await readFile(new URL('../../README.md', import.meta.url), 'utf8'),
  ]
  const examples = texts
    .flatMap(typedLines)
    .filter(
      ([first = '', second = '']) =>
        !wordsOfLauncher.has(first) && !(first === 'keys' && keysOfLauncher.has(second)),
    )
  expect(examples.length).toBeGreaterThan(30)
  for (const example of examples) {
    const { command, options } = parseCommandLine(commandSet, example)
    for (const [name, value] of Object.entries(options)) {
      const values = command.options[name]?.values
      if (values !== undefined) expect(values, example.join(' ')).toContain(value)
    }
  }
})
