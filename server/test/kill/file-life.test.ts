import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { removeGarbage } from '../../src/library/files/media/remove-garbage.ts'
import { createDiskBlobStore } from '../../src/platform/blobs/disk-blob-store.ts'
import { countFrames } from '../support/media.ts'
import { waitFor } from '../support/wait-for.ts'
import { encodeProject, makeEncodeSource } from './encode-scenario.ts'
import { createInstallation, type Installation } from './installation.ts'
import { compareMedia } from './media-inventory.ts'
import { withDatabase } from './with-database.ts'

let installation: Installation

beforeAll(async () => {
  installation = await createInstallation()
  await installation.start()
})

afterAll(() => installation.remove())

const newProject = async (): Promise<number> =>
  (await installation.call('POST', '/projects', encodeProject)).body.Id

const put = async (uri: string, bytes: Buffer) =>
  expect((await fetch(uri, { method: 'PUT', body: bytes as BodyInit })).status).toBe(200)

test('after kill -9 of the worker during a replacement, the old version plays until the new one is ready, and leaves nothing', async () => {
  const oldSource = await makeEncodeSource(2)
  const newSource = await makeEncodeSource(6)
  const projectId = await newProject()
  const created = await installation.call('POST', `/projects/${projectId}/files`, { FileName: 'old.mp4' })
  const path = `/projects/${projectId}/files/${created.body.Id}`
  const finished = () =>
    waitFor(
      () => installation.call('GET', path),
      ({ body }) => body.IsFinished === true,
    )
  await put(created.body.Upload.URI, oldSource.bytes)
  const { body: before } = await finished()
  const replacement = await installation.call('PUT', `${path}/replace`, { FileName: 'new.mp4' })
  await put(replacement.body.Upload.URI, newSource.bytes)
  await waitFor(
    () =>
      withDatabase(installation, (database) =>
        database.kysely
          .selectFrom('renditions')
          .select('state')
          .where('file_id', '=', created.body.Id)
          .where('generation', '=', 2)
          .execute(),
      ),
    (renditions) => renditions.some(({ state }) => state === 'encoding'),
  )
  await installation.killAndRecover('worker')
  const { body: meanwhile } = await installation.call('GET', path)
  expect(meanwhile).toMatchObject({ IsPlayable: true, Renditions: before.Renditions })
  expect(await countFrames(before.Playouts[0].HLS)).toBe(oldSource.frameCount)
  const { body: after } = await finished()
  const { HLS, DASH } = before.Playouts[0]
  expect(after).toMatchObject({ Status: 'finished', Playouts: [{ HLS, DASH }] })
  expect(await countFrames(after.Playouts[0].HLS)).toBe(newSource.frameCount)
  const events = await withDatabase(installation, (database) =>
    database.kysely
      .selectFrom('events')
      .select('name')
      .where('file_id', '=', created.body.Id)
      .orderBy('sequence')
      .execute(),
  )
  const processing = events.map(({ name }) => name).filter((name) => name !== 'file.updated')
  expect(processing.slice(6)).toEqual(['file.new', 'file.encoding', 'file.encoded', 'file.replaced'])
  const blobs = createDiskBlobStore({ folder: join(installation.dataFolder, 'media') })
  await withDatabase(installation, async (database) => {
    await database.kysely
      .updateTable('discarded_media')
      .set({ remove_after: new Date(0) })
      .execute()
    await removeGarbage({ database, blobs })
  })
  expect(await compareMedia(installation)).toEqual({ orphans: [], missing: [], miscounted: [] })
})

test('after kill -9 of everything during a project deletion, all files are deleted, each with its event', async () => {
  const projectId = await newProject()
  const count = 300
  for (let made = 0; made < count; made += 50)
    await Promise.all(
      Array.from({ length: 50 }, () =>
        installation.call('POST', `/projects/${projectId}/files`, { FileName: 'a.mp4' }),
      ),
    )
  const deletedFiles = () =>
    withDatabase(installation, async ({ kysely }) => {
      const { deleted } = await kysely
        .selectFrom('events')
        .select((select) => select.fn.countAll<number>().as('deleted'))
        .where('project_id', '=', projectId)
        .where('name', '=', 'file.deleted')
        .executeTakeFirstOrThrow()
      return deleted
    })
  expect((await installation.call('DELETE', `/projects/${projectId}?cascade=true`)).status).toBe(200)
  await waitFor(deletedFiles, (deleted) => deleted > 0)
  await installation.killAndRecover('everything')
  expect((await installation.call('GET', `/projects/${projectId}/files`)).status).toBe(404)
  await waitFor(deletedFiles, (deleted) => deleted === count)
})
