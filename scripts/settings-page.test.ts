import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { settingsPage } from './settings-page.ts'

test('docs/settings.md lists all settings (npm run settings writes it)', async () => {
  expect(await readFile(new URL('../docs/settings.md', import.meta.url), 'utf8')).toBe(settingsPage())
})
