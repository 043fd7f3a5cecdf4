import { randomUUID } from 'node:crypto'
import { readdir, stat, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHands } from '../../../../test/support/hands.ts'
import { makeSample } from '../../../../test/support/media.ts'
import { request, startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import type { BlobStore } from '../../../platform/blobs/blob-store.ts'
import { createMakePictureHandler } from './make-picture-handler.ts'
import { createMakeStoryboardHandler } from './make-storyboard-handler.ts'
import { createProcessFileHandler } from './process-file-handler.ts'
import { holdBlobs } from '../test-support/hold-blobs.ts'

let server: TestServer
let hands: ReturnType<typeof createHands>
let projectId: number

beforeAll(async () => {
  server = await startTestServer()
  hands = createHands(server)
  projectId = await hands.newProject()
})

afterAll(() => server.stop())

const never = new AbortController().signal
const firstTry = { number: 1, isLast: false }

interface Ids {
  readonly projectId: number
  readonly fileId: number
}

const pathOf = ({ fileId }: Ids) => `/projects/${projectId}/files/${fileId}`

const removeDiscarded = async () => {
  await server.services.database.kysely
    .updateTable('discarded_media')
    .set({ remove_after: new Date(0) })
    .execute()
  await hands.housekeeping()
}

const storedFiles = async ({ fileId }: Ids): Promise<{ name: string; sizeBytes: number }[]> => {
  const folder = `${server.dataFolder}/media/blobs/a1/p${projectId}/f${fileId}`
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async ({ parentPath, name }) => ({
        name,
        sizeBytes: (await stat(`${parentPath}/${name}`)).size,
      })),
  )
}

test.each([
  ['poster', /thumb\.jpg$/, () => hands.smallSample(), 'thumb.jpg'],
  ['remux', /remux/, () => makeSample({ seconds: 2, format: 'mkv' }), 'remux'],
])('removes a %s that is no longer wanted when it is stored', async (_what, blob, make, name) => {
  const ids = await hands.upload(projectId, await make())
  const { blobs, reached, release } = holdBlobs(server.services.blobs, blob)
  const superseded = createProcessFileHandler({ ...hands.dependencies, blobs })(
    await hands.jobOf(ids),
    never,
    firstTry,
  )
  await reached
  await server.call('DELETE', pathOf(ids))
  await server.call('POST', `${pathOf(ids)}/restore`)
  release()
  await superseded
  await hands.finish(ids)
  await removeDiscarded()
  expect(await hands.get(ids)).toMatchObject({ Status: 'finished' })
  const stored = await storedFiles(ids)
  expect(stored.filter((one) => one.name.includes(name))).toHaveLength(1)
  expect((await hands.rowOf(ids.fileId)).storage_bytes).toBe(
    stored.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  )
  expect((await request((await hands.get(ids)).Metadata.StandardFilePicture.URI, 'GET')).status).toBe(200)
})

/** Returns a file whose source has arrived, beside the remux that played during the upload. */
const uploadWithRemux = async (): Promise<{ ids: Ids; remux: string }> => {
  const ids = await hands.upload(projectId, await makeSample({ seconds: 2, format: 'mkv' }))
  const { kysely } = server.services.database
  const name = `remuxed-${randomUUID()}.mp4`
  const remux = `a1/p${projectId}/f${ids.fileId}/${name}`
  await writeFile(`${server.dataFolder}/uploads/${name}.whole`, await makeSample({ seconds: 2 }))
  await kysely
    .insertInto('renditions')
    .values({
      ...{ account_id: 1, file_id: ids.fileId, generation: 1, kind: 'video', name: 'source' },
      ...{ delivery: 'in_place', state: 'growing', media_blob: remux, track_id: 1, timescale: 1 },
    })
    .execute()
  await kysely
    .updateTable('media_files')
    .set({ arriving_upload: randomUUID() })
    .where('id', '=', ids.fileId)
    .execute()
  return { ids, remux }
}

test('keeps the remux that played during the upload when the first attempt to store it was killed', async () => {
  const { ids, remux } = await uploadWithRemux()
  const blobs = { ...server.services.blobs, adopt: () => Promise.reject(new Error('killed')) }
  await expect(
    createProcessFileHandler({ ...hands.dependencies, blobs })(await hands.jobOf(ids), never, firstTry),
  ).rejects.toThrow('killed')
  await hands.finish(ids)
  await removeDiscarded()
  const stored = await storedFiles(ids)
  expect(stored.map(({ name }) => name)).toContain(basename(remux))
  expect((await hands.rowOf(ids.fileId)).storage_bytes).toBe(
    stored.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  )
})

test('keeps the remux and counts it once when two runs store it concurrently', async () => {
  const { ids, remux } = await uploadWithRemux()
  const { blobs, reached, release } = holdBlobs(server.services.blobs, /remux/)
  const superseded = createProcessFileHandler({ ...hands.dependencies, blobs })(
    await hands.jobOf(ids),
    never,
    firstTry,
  )
  await reached
  await hands.process(ids)
  release()
  await superseded
  await hands.ladder(ids)
  await removeDiscarded()
  const stored = await storedFiles(ids)
  expect(stored.map(({ name }) => name)).toContain(basename(remux))
  expect((await hands.rowOf(ids.fileId)).storage_bytes).toBe(
    stored.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  )
})

test('does not list renditions without a track id twice when a run resumes', async () => {
  const ids = await hands.upload(projectId, await hands.smallSample())
  await hands.process(ids)
  const { Renditions } = await hands.get(ids)
  const { kysely } = server.services.database
  await kysely.updateTable('renditions').set({ track_id: null }).where('file_id', '=', ids.fileId).execute()
  await kysely.updateTable('media_files').set({ state: 'playable' }).where('id', '=', ids.fileId).execute()
  await hands.process(ids)
  expect((await hands.get(ids)).Renditions).toEqual(Renditions)
})

test.each([
  [
    'storyboard',
    /sheet\.jpg$/,
    async (ids: Ids, blobs: BlobStore) => {
      const { kysely } = server.services.database
      await kysely.updateTable('media_files').set({ storyboard: null }).where('id', '=', ids.fileId).execute()
      await createMakeStoryboardHandler({ ...hands.dependencies, blobs })(await hands.jobOf(ids), never)
    },
  ],
  [
    'picture',
    /picture\.jpg$/,
    async (ids: Ids, blobs: BlobStore) => {
      const { id: requestId } = await server.services.database.kysely
        .insertInto('picture_requests')
        .values({ account_id: 1, file_id: ids.fileId })
        .returning('id')
        .executeTakeFirstOrThrow()
      const source = { kind: 'frame', positionSeconds: 0 } as const
      const job = { ...(await hands.jobOf(ids)), requestId, isStandard: true, source }
      await createMakePictureHandler({ ...hands.dependencies, blobs })(job, never, firstTry)
    },
  ],
])('removes a %s that is written while its file is purged', async (_what, blob, make) => {
  const ids = await hands.upload(projectId, await hands.smallSample())
  await hands.finish(ids)
  const { blobs, reached, release } = holdBlobs(server.services.blobs, blob)
  const making = make(ids, blobs)
  await reached
  await server.call('DELETE', pathOf(ids))
  await hands.purge(ids)
  release()
  await making
  expect(await server.services.blobs.list(`a1/p${projectId}/f${ids.fileId}/`)).toEqual([])
})

test('keeps a picture uploaded while the poster is drawn and discards the poster', async () => {
  const ids = await hands.upload(projectId, await hands.smallSample())
  const { blobs, reached, release } = holdBlobs(server.services.blobs, /thumb\.jpg$/)
  const run = createProcessFileHandler({ ...hands.dependencies, blobs })(
    await hands.jobOf(ids),
    never,
    firstTry,
  )
  await reached
  const { id: byHand } = await server.services.database.kysely
    .insertInto('file_pictures')
    .values({
      account_id: 1,
      file_id: ids.fileId,
      width_pixels: 16,
      height_pixels: 9,
      is_standard: true,
      manual_upload: true,
      picture_blob: 'by hand',
      thumb_blob: 'by hand',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  release()
  await run
  await removeDiscarded()
  const file = await hands.get(ids)
  expect(file).toMatchObject({ Status: 'finished', HasErrors: false })
  expect(file.Metadata.StandardFilePicture.FilePictureId).toBe(byHand)
  expect((await storedFiles(ids)).filter(({ name }) => name === 'thumb.jpg')).toEqual([])
})

test('continues to the ladder when the poster of a new source already exists', async () => {
  const ids = await hands.upload(projectId, await hands.smallSample())
  await hands.finish(ids)
  await server.call('PUT', `${pathOf(ids)}/replace`, {
    body: await hands.sample(),
    headers: { 'Content-Type': 'video/mp4' },
  })
  const job = await hands.jobOf(ids)
  const { blobs, reached, release } = holdBlobs(server.services.blobs, /thumb\.jpg$/)
  const later = createProcessFileHandler({ ...hands.dependencies, blobs })(job, never, firstTry)
  await reached
  // Another run of the same job was killed after it stored the poster.
  const jobs = { ...server.services.jobs, enqueue: () => Promise.reject(new Error('killed')) }
  await expect(
    createProcessFileHandler({ ...hands.dependencies, jobs })(job, never, firstTry),
  ).rejects.toThrow('killed')
  release()
  await later
  const ladders = await server.services.database.sql`
    select id from pgboss.job where name = 'file.ladder' and data->>'fileId' = ${String(ids.fileId)}`
  expect(ladders).toHaveLength(1)
  await hands.ladder(ids)
  await removeDiscarded()
  const stored = await storedFiles(ids)
  expect((await hands.rowOf(ids.fileId)).storage_bytes).toBe(
    stored.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  )
  expect(stored.filter(({ name }) => name === 'thumb.jpg')).toHaveLength(1)
})

test('removes media that a superseded worker adds to an abandoned revision', async () => {
  const ids = await hands.upload(projectId, await hands.smallSample())
  await hands.finish(ids)
  await server.call('POST', `${pathOf(ids)}/retry?force=true`)
  await hands.finish(ids)
  const { kysely } = server.services.database
  const late = `a1/p${projectId}/f${ids.fileId}/late`
  await server.services.blobs.put(`${late}/init.mp4`, Buffer.from('late'))
  await kysely
    .insertInto('renditions')
    .values({
      account_id: 1,
      file_id: ids.fileId,
      generation: 1,
      kind: 'video',
      name: 'late',
      delivery: 'packaged',
      state: 'encoding',
      media_blob: late,
      timescale: 1,
    })
    .execute()
  await removeDiscarded()
  expect(await server.services.blobs.stat(`${late}/init.mp4`)).toBeNull()
  const left = await kysely
    .selectFrom('renditions')
    .select('generation')
    .where('file_id', '=', ids.fileId)
    .execute()
  expect(new Set(left.map(({ generation }) => generation))).toEqual(new Set([2]))
  expect((await request((await hands.get(ids)).Playouts[0].HLS, 'GET')).status).toBe(200)
})

test('plays the video of a container without encoding although its audio cannot be copied into MP4', async () => {
  const ids = await hands.upload(
    projectId,
    await makeSample({ seconds: 2, format: 'mkv', audioCodec: 'pcm_s16le' }),
  )
  await hands.finish(ids)
  expect(await hands.get(ids)).toMatchObject({
    Status: 'finished',
    Renditions: [
      { Type: 'video', Name: 'source' },
      { Type: 'audio', Name: 'audio' },
    ],
  })
})

test('keeps no remux of a secondary track when the default track cannot be copied', async () => {
  const extra = [
    '-vn',
    '-map',
    '1:a',
    '-map',
    '1:a',
    '-c:a:1',
    'flac',
    '-disposition:a:0',
    '0',
    '-disposition:a:1',
    'default',
  ]
  const ids = await hands.upload(projectId, await makeSample({ seconds: 2, format: 'mkv', extra }))
  await hands.finish(ids)
  await removeDiscarded()
  expect(await hands.get(ids)).toMatchObject({
    Status: 'finished',
    Renditions: [
      { Type: 'audio', Name: 'audio' },
      { Type: 'audio', Name: 'audio 2' },
    ],
  })
  const stored = await storedFiles(ids)
  expect(stored.filter(({ name }) => name.includes('remux'))).toEqual([])
  expect((await hands.rowOf(ids.fileId)).storage_bytes).toBe(
    stored.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  )
})
