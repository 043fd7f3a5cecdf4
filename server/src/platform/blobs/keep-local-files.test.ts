import { expect, test } from 'vitest'
import type { BlobStore } from './blob-store.ts'
import { keepLocalFiles } from './keep-local-files.ts'

/** Lends copies as the S3 store does: concurrent users of a blob share one copy. */
const createStore = () => {
  const users = new Map<string, number>()
  const fetched: string[] = []
  const withLocalFile: BlobStore['withLocalFile'] = async (key, use) => {
    const count = users.get(key) ?? 0
    if (count === 0) fetched.push(key)
    users.set(key, count + 1)
    try {
      return await use(`/tmp/${key}`, true)
    } finally {
      users.set(key, (users.get(key) ?? 0) - 1)
    }
  }
  return { store: { withLocalFile } as BlobStore, users, fetched }
}

test('keeps the copy of a blob until another blob is requested or the copy is released', async () => {
  const { store, users, fetched } = createStore()
  const { blobs, release } = keepLocalFiles(store)
  const use = (key: string) => blobs.withLocalFile(key, async (path) => path)
  expect(await use('a')).toBe('/tmp/a')
  await use('a')
  expect(fetched).toEqual(['a'])
  await use('b')
  expect(users.get('a')).toBe(0)
  await use('a')
  expect(fetched).toEqual(['a', 'b', 'a'])
  await release()
  expect([...users.values()]).toEqual([0, 0])
})

test('passes failures of the work and of the store to the caller', async () => {
  const { store } = createStore()
  const { blobs, release } = keepLocalFiles(store)
  const failing = blobs.withLocalFile('a', async () => {
    throw new Error('the work')
  })
  await expect(failing).rejects.toThrow('the work')
  await release()
  const away = keepLocalFiles({
    withLocalFile: async () => Promise.reject(new Error('away')),
  } as unknown as BlobStore)
  await expect(away.blobs.withLocalFile('a', async () => {})).rejects.toThrow('away')
})
