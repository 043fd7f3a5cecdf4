import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../src/platform/db/database.ts'
import { makeSample } from '../support/media.ts'
import { waitFor } from '../support/wait-for.ts'
import { encodeProject, makeEncodeSource, untilEncoding } from './encode-scenario.ts'
import { createInstallation, type Installation } from './installation.ts'
import { compareMedia, listLeftovers } from './media-inventory.ts'

let installation: Installation
let projectId: number

beforeAll(async () => {
  installation = await createInstallation()
  await installation.start()
  projectId = (await installation.call('POST', '/projects', encodeProject)).body.Id
})

afterAll(() => installation.remove())

const create = async (bytes: Buffer) => {
  const { body } = await installation.call('POST', `/projects/${projectId}/files`, {
    FileName: 'clip.mp4',
    FileSize: bytes.length,
  })
  return {
    id: body.Id as number,
    path: `/projects/${projectId}/files/${body.Id}`,
    uploadUrl: body.Upload.URI as string,
  }
}

const put = (url: string, bytes: Buffer) => fetch(url, { method: 'PUT', body: bytes as BodyInit })

const everythingOfFiles = async (): Promise<string[]> => {
  const database = openDatabase(await installation.connection(), { maxConnections: 1 })
  try {
    const rows = await database.kysely.selectFrom('media_files').select('id').execute()
    const blobs = await readdir(join(installation.dataFolder, 'media', 'blobs')).catch(() => [])
    return [
      ...rows.map(({ id }) => `row of file ${id}`),
      ...blobs,
      ...(await listLeftovers(installation.dataFolder)),
    ]
  } finally {
    await database.close()
  }
}

test('a file created just before kill -9 accepts its upload afterwards, and its deletion survives another kill', async () => {
  const bytes = await makeSample({ seconds: 2 })
  const file = await create(bytes)
  await installation.killAndRecover('everything')
  expect((await fetch(file.uploadUrl, { method: 'HEAD' })).headers.get('upload-offset')).toBe('0')
  expect((await put(file.uploadUrl, bytes)).status).toBe(200)
  await waitFor(
    () => installation.call('GET', file.path),
    ({ body }) => body.Status === 'finished',
  )
  expect(await compareMedia(installation)).toEqual({ orphans: [], missing: [], miscounted: [] })

  // The kill may precede the response: the deletion is either complete or did not happen.
  const answer = installation.call('DELETE', file.path).then(
    ({ status }) => status,
    () => null,
  )
  await installation.killAndRecover('everything')
  if ((await answer) !== 200) {
    const again = await installation.call('DELETE', file.path)
    expect([200, 404]).toContain(again.status)
  }
  await waitFor(everythingOfFiles, (left) => left.length === 0)
})

test('a file deleted during its encode, with kill -9 of the worker, leaves nothing', async () => {
  const { bytes } = await makeEncodeSource(16)
  const file = await create(bytes)
  expect((await put(file.uploadUrl, bytes)).status).toBe(200)
  await untilEncoding(installation, file.id, 'ladder')
  expect((await installation.call('DELETE', file.path)).status).toBe(200)
  await installation.killAndRecover('worker')
  expect((await installation.call('GET', file.path)).status).toBe(404)
  await waitFor(everythingOfFiles, (left) => left.length === 0)
  expect((await installation.call('GET', `/projects/${projectId}`)).body).toMatchObject({
    FileCount: 0,
    StorageBytes: 0,
  })
})
