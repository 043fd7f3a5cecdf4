import { expect, test } from 'vitest'
import { createUploadLocks } from './upload-locks.ts'

const beginWriting = (isOver: boolean) => {
  const locks = createUploadLocks()
  const stored = Promise.withResolvers<void>()
  let isStored = false
  const written = locks.withLock(
    'upload',
    async () => {
      await stored.promise
      isStored = true
    },
    () => isOver,
  )
  return { locks, written, store: stored.resolve, isStored: () => isStored }
}

test('a reader waits until the bytes of a broken connection are stored, however long that takes', async () => {
  const { locks, store, isStored } = beginWriting(true)
  // Longer than the server needs to notice the end of a connection.
  setTimeout(store, 600)
  await locks.whenSettled('upload')
  expect(isStored()).toBe(true)
})

test('a reader does not wait for the end of a body that is still being sent', async () => {
  const { locks, written, store, isStored } = beginWriting(false)
  await locks.whenSettled('upload')
  expect(isStored()).toBe(false)
  store()
  await written
})

test('a reader does not wait without a writer', async () => {
  await expect(createUploadLocks().whenSettled('upload')).resolves.toBeUndefined()
})
