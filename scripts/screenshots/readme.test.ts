import { readdir, readFile, stat } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { pictures, story } from './pictures.ts'

const root = new URL('../../', import.meta.url)
const folder = new URL('docs/pictures/', root)
const readme = await readFile(new URL('README.md', root), 'utf8')

test('the README has at most 150 lines', () => {
  expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(150)
})

test('the README shows exactly the pictures that npm run screenshots makes', () => {
  const shown = [...readme.matchAll(/docs\/pictures\/([\w-]+\.webp)/g)].map(([, name = '']) => name)
  expect([...new Set(shown)].sort()).toEqual([...pictures].sort())
})

test('docs/pictures holds these pictures and diagrams, and no others', async () => {
  const names = await readdir(folder)
  expect(names.filter((name) => !name.endsWith('.svg')).sort()).toEqual([...pictures].sort())
})

test('every picture that the README names exists', async () => {
  for (const [, path = ''] of readme.matchAll(/(?:src|srcset)="([^"]+)"|\]\((docs\/pictures\/[^)]+)\)/g))
    await expect(stat(new URL(path, root)), path).resolves.toBeDefined()
})

test('the pictures are small: the moving one at most 1.5 MB, all together 2.5 MB', async () => {
  const sizes = await Promise.all(
    pictures.map(async (name) => [name, (await stat(new URL(name, folder))).size] as const),
  )
  expect(Object.fromEntries(sizes)[story.moving]).toBeLessThan(1_500_000)
  expect(sizes.reduce((sum, [, size]) => sum + size, 0)).toBeLessThan(2_500_000)
})

test('every link of the README leads to a file of the repository', async () => {
  for (const [, href = ''] of readme.matchAll(/\]\(((?!https?:|#)[^)\s#]+)/g))
    await expect(stat(new URL(href, root)), href).resolves.toBeDefined()
})
