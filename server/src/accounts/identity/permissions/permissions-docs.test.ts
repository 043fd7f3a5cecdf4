import { readFile } from 'node:fs/promises'
import { permissions, roles } from '@zoetrope/vocabulary'
import { permissionsOf } from './permissions.ts'
import { expect, test } from 'vitest'

test('docs/permissions.md lists the lowest role of every permission as in the code', async () => {
  const text = await readFile(new URL('../../../../../docs/permissions.md', import.meta.url), 'utf8')
  const documented = [...text.matchAll(/^\| `(\S+)` \| (\w+) \|/gm)].map(([, permission, role]) => [
    permission,
    role,
  ])
  const actual = permissions.map((permission) => [
    permission,
    roles.find((role) => permissionsOf(role).includes(permission)),
  ])
  expect(documented).toEqual(actual)
})
