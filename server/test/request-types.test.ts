import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const source = fileURLToPath(new URL('../src', import.meta.url))

/** `request.params as …`, also in parentheses or with a default, and the same for a destructured body. */
const assertion =
  /(?:\brequest\.(?:params|query|body)|(?<![.\w])body)\b(?: \?\? \{\})?\)*(?:\['[^']+'\])? as (?!const\b|[A-Z]+-)/

const isCode = (line: string): boolean => !/^\s*(?:\/?\*|\/\/)/.test(line)

test('handlers take the types of params, query and body from the schema of their route', async () => {
  const names = (await readdir(source, { recursive: true })).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.includes('test-support/'),
  )
  const texts = await Promise.all(names.map((name) => readFile(`${source}/${name}`, 'utf8')))
  const found = names.filter((_name, index) =>
    texts[index]?.split('\n').some((line) => isCode(line) && assertion.test(line)),
  )
  expect(found).toEqual([])
})

test.each([
  'const { id } = request.params as Params',
  '(request.params as { token: string }).token',
  'const write = (request.body ?? {}) as Write',
  'Value.Clean(schema, request.body) as Update',
  "const name = request.params['*'] as string",
  'toUpdate: (body: unknown) => body as UpdateFile',
])('refuses %s', (line) => {
  expect(assertion.test(line)).toBe(true)
})
