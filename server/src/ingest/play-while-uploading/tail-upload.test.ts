import { appendFile, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { InFlightUploads, FollowedUpload } from '../../library/files/media/in-flight-uploads.ts'
import { tailUpload } from './tail-upload.ts'

const never = new AbortController().signal
let folder: string
let path: string
let upload: FollowedUpload | null

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-tail-'))
  path = join(folder, 'staged')
})
beforeEach(async () => {
  upload = { isWhole: false, uncheckedAfter: null }
  await writeFile(path, 'one ')
})
afterAll(() => rm(folder, { recursive: true }))

const tail = (patienceMs?: number) => {
  const inFlightUploads: Pick<InFlightUploads, 'follow'> = { follow: async () => upload }
  return tailUpload(inFlightUploads, { stagingName: 'staged', path }, never, patienceMs)
}
const next = async (bytes: AsyncGenerator<Buffer>): Promise<string> => String((await bytes.next()).value)

test('yields each byte once, as it arrives, until the upload is complete', async () => {
  const bytes = tail()
  expect(await next(bytes)).toBe('one ')
  await appendFile(path, 'two ')
  expect(await next(bytes)).toBe('two ')
  // The client sends unacknowledged bytes again.
  await truncate(path, 4)
  const later = next(bytes)
  await appendFile(path, 'two three')
  expect(await later).toBe('three')
  upload = { isWhole: true, uncheckedAfter: null }
  expect((await bytes.next()).done).toBe(true)
})

test('withholds unverified bytes until the upload is complete', async () => {
  upload = { isWhole: false, uncheckedAfter: 2 }
  const bytes = tail()
  expect(await next(bytes)).toBe('on')
  upload = { isWhole: true, uncheckedAfter: 2 }
  expect(await next(bytes)).toBe('e ')
  expect((await bytes.next()).done).toBe(true)
})

test('throws when the upload is aborted', async () => {
  const bytes = tail()
  await bytes.next()
  upload = null
  await expect(bytes.next()).rejects.toThrow('has stopped')
})

test('throws when the client stays silent', async () => {
  const bytes = tail(300)
  await bytes.next()
  await expect(bytes.next()).rejects.toThrow('sends no bytes')
})
