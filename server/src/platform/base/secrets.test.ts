import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createSecrets, loadOrCreateMasterKeys } from './secrets.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-secrets-'))
})

afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

test('opens a sealed text only under the same master key', () => {
  const key = randomBytes(32)
  const sealed = createSecrets(key).seal(Buffer.from('whsec_secret'))
  expect(sealed.toString('latin1')).not.toContain('whsec_secret')
  expect(createSecrets(key).open(sealed).toString()).toBe('whsec_secret')
  expect(() => createSecrets(randomBytes(32)).open(sealed)).toThrow()
})

test('refuses a sealed text that was changed', () => {
  const secrets = createSecrets(randomBytes(32))
  const sealed = secrets.seal(Buffer.from('whsec_secret'))
  sealed.writeUInt8(sealed.readUInt8(sealed.length - 1) ^ 1, sealed.length - 1)
  expect(() => secrets.open(sealed)).toThrow()
})

test('derives different keys for different purposes', () => {
  const secrets = createSecrets(randomBytes(32))
  expect(secrets.derive('one').equals(secrets.derive('other'))).toBe(false)
})

test('creates the master key once, readable by its owner alone, and reads it again', async () => {
  const path = join(folder, 'master.key')
  const made = await loadOrCreateMasterKeys(path)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(await loadOrCreateMasterKeys(path)).toEqual(made)
})

test('keeps a damaged master key, because replacing it would lose every sealed secret', async () => {
  const path = join(folder, 'master.key')
  await writeFile(path, 'torn')
  await expect(loadOrCreateMasterKeys(path)).rejects.toThrow('Restore it from your backup')
  expect(await readFile(path, 'utf8')).toBe('torn')
})
