import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

test('every test that the threat model names as a proof exists', async () => {
  const page = await readFile(new URL('../docs/threat-model.md', import.meta.url), 'utf8')
  const proofs = [...page.matchAll(/`([\w./-]+\.test\.ts)`/g)].map(([, path = '']) => path)
  expect(proofs.length).toBeGreaterThan(40)
  expect(proofs.filter((path) => !existsSync(new URL(`../${path}`, import.meta.url)))).toEqual([])
})
