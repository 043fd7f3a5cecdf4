import { appendFile, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Decrypter, generateIdentity, identityToRecipient } from 'age-encryption'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createEncryptedTarget } from './backup-target.ts'

let base: string

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'zoetrope-target-'))
})

afterEach(() => rm(base, { recursive: true, force: true }))

test('an encrypted backup has the whole content of uploads that grow or move while it is made', async () => {
  const [uploads, folder] = [join(base, 'uploads'), join(base, 'backup')]
  await mkdir(uploads)
  for (const name of ['growing', 'moving']) await writeFile(join(uploads, name), 'begin ')
  const identity = await generateIdentity()
  const target = createEncryptedTarget(
    folder,
    [await identityToRecipient(identity)],
    new AbortController().signal,
  )
  await target.holdInProgress(uploads, 'data/uploads')
  for (const name of ['growing', 'moving']) await appendFile(join(uploads, name), 'end')
  await rename(join(uploads, 'moving'), join(base, 'moved'))
  await writeFile(join(uploads, 'new'), 'new')
  await target.addInProgress(uploads, 'data/uploads')
  await target.addFile(join(base, 'missing'), 'data/missing')
  await target.close()

  const decrypter = new Decrypter()
  decrypter.addIdentity(identity)
  const contents: Record<string, string> = {}
  for (const name of await readdir(join(folder, 'data/uploads')))
    contents[name] = await decrypter.decrypt(await readFile(join(folder, 'data/uploads', name)), 'text')
  expect(contents).toEqual({ 'growing.age': 'begin end', 'moving.age': 'begin end', 'new.age': 'new' })
  expect(await readdir(join(folder, 'data'))).toEqual(['uploads'])
})
