import { glob, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/** All keys and classes of advisory locks begin with these digits. */
const lockNumber = /\b7_304_\d{3}\b/g

test('no two features share an advisory lock', async () => {
  const found: string[] = []
  const folder = fileURLToPath(new URL('../..', import.meta.url))
  for await (const name of glob('**/*.ts', { cwd: folder, exclude: ['**/*.test.ts'] }))
    found.push(...((await readFile(`${folder}${name}`, 'utf8')).match(lockNumber) ?? []))
  expect(found.length).toBeGreaterThan(8)
  expect(found.toSorted()).toEqual([...new Set(found)].toSorted())
})
