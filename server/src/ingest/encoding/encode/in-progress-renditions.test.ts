import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHands } from '../../../../test/support/hands.ts'
import { makeSample } from '../../../../test/support/media.ts'
import { request, startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { createProcessFileHandler } from '../handlers/process-file-handler.ts'
import { holdBlobs } from '../test-support/hold-blobs.ts'

let server: TestServer
let hands: ReturnType<typeof createHands>
let projectId: number
let sample: Buffer

beforeAll(async () => {
  server = await startTestServer()
  hands = createHands(server)
  projectId = await hands.newProject()
  // Needs encoding, and becomes playable meanwhile.
  sample = await makeSample({ seconds: 16, videoCodec: 'mpeg4' })
})

afterAll(() => server.stop())

const kysely = () => server.services.database.kysely
const text = Buffer.from('no video at all, sorry. '.repeat(100))

const renditionsOf = (fileId: number) =>
  kysely().selectFrom('renditions').selectAll().where('file_id', '=', fileId).orderBy('id').execute()

/**
 * Returns a file with one in-progress video rendition and a worker that is blocked midway. A replacement was
 * announced while the file was failed; its bytes may arrive now.
 */
const inProgressFile = async () => {
  const ids = await hands.upload(projectId, sample)
  await hands.giveUp(ids)
  const path = `/projects/${projectId}/files/${ids.fileId}`
  const { body: announced } = await server.call('PUT', `${path}/replace`, { body: { FileName: 'new.mp4' } })
  const replace = (bytes: Buffer) => request(announced.Upload.URI, 'PUT', { body: bytes })
  expect((await server.call('POST', `${path}/retry`)).status).toBe(200)
  const stopped = new AbortController()
  const { blobs, reached, release } = holdBlobs(server.services.blobs, /\/2\.m4s$/)
  const run = createProcessFileHandler({ ...hands.dependencies, blobs })(
    await hands.jobOf(ids),
    stopped.signal,
    { number: 1, isLast: false },
  )
  await reached
  const rows = await waitFor(
    () => renditionsOf(ids.fileId),
    (all) => all.some(({ state }) => state === 'growing'),
  )
  const { Playouts } = await hands.get(ids)
  const base: string = Playouts[0].HLS.replace('main.m3u8', '')
  const inProgress = rows.find(({ state }) => state === 'growing')
  const playlist = (name = `${inProgress?.id}/playlist.m3u8`) => request(base + name, 'GET')
  expect((await playlist()).body).not.toContain('#EXT-X-ENDLIST')
  return {
    ids,
    run,
    release,
    replace,
    playlist,
    stop: () => stopped.abort(),
    inProgressId: inProgress?.id ?? 0,
  }
}

const removeDiscarded = async () => {
  await kysely()
    .updateTable('discarded_media')
    .set({ remove_after: new Date(0) })
    .execute()
  await hands.housekeeping()
}

test('closes an in-progress version at its last segment when it is replaced, even if the replacement is unusable', async () => {
  const { ids, run, release, replace, playlist } = await inProgressFile()
  expect((await replace(text)).status).toBe(200)
  expect(await hands.get(ids)).toMatchObject({ Status: 'playable' })
  expect((await playlist()).body).toContain('#EXT-X-ENDLIST')
  // The superseded worker does not reopen it.
  release()
  await run
  expect((await playlist()).body).toContain('#EXT-X-ENDLIST')
  await hands.process(ids)
  const file = await hands.get(ids)
  expect(file).toMatchObject({ Status: 'degraded', IsFinished: true, IsEncoded: true })
  expect(file.Timings.EncodedAt).not.toBeNull()
  expect((await hands.eventsOf(ids.fileId)).slice(-3)).toEqual(['file.encoding', 'file.failed', 'file.new'])
  expect((await playlist()).body).toContain('#EXT-X-ENDLIST')
  const row = await hands.rowOf(ids.fileId)
  const encoded = (await renditionsOf(ids.fileId)).filter(({ delivery }) => delivery === 'packaged')
  expect(encoded).toMatchObject([{ state: 'complete', size_bytes: expect.any(Number) }])
  expect(encoded[0]?.size_bytes).toBeGreaterThan(0)
  const storyboardBytes = row.storyboard?.sizeBytes ?? 0
  expect(storyboardBytes).toBeGreaterThan(0)
  expect(row.storage_bytes).toBe(
    (row.source_size_bytes ?? 0) + (encoded[0]?.size_bytes ?? 0) + storyboardBytes,
  )
})

test('lets viewers of an in-progress version play to its end when a new version is published', async () => {
  const { ids, run, release, replace, playlist } = await inProgressFile()
  expect((await replace(await hands.smallSample())).status).toBe(200)
  release()
  await run
  await hands.finish(ids)
  expect(await hands.get(ids)).toMatchObject({ Status: 'finished' })
  expect(await playlist()).toMatchObject({ status: 200, body: expect.stringContaining('#EXT-X-ENDLIST') })
  await removeDiscarded()
  expect((await playlist()).status).toBe(404)
})

test('lets viewers play what a killed run left to its end when the next run completes', async () => {
  const { ids, run, release, playlist, stop, inProgressId } = await inProgressFile()
  stop()
  release()
  await expect(run).rejects.toThrow()
  // Every stored segment is listed, so no blob is unreferenced.
  const left = (await renditionsOf(ids.fileId)).find(({ id }) => id === inProgressId)
  const stored = await server.services.blobs.list(`${left?.media_blob}/`)
  expect(stored.filter((key) => key.endsWith('.m4s'))).toHaveLength(
    (JSON.parse(left?.segments ?? '[]') as unknown[]).length,
  )
  await hands.process(ids)
  expect((await hands.get(ids)).Renditions.map(({ Id }: { Id: number }) => Id)).not.toContain(inProgressId)
  expect((await playlist('main.m3u8')).body).not.toContain(`${inProgressId}/playlist.m3u8`)
  const { status, body } = await playlist()
  expect({ status, body }).toEqual({ status: 200, body: expect.stringContaining('#EXT-X-ENDLIST') })
  for (const name of ['init.mp4', '0.m4s', '1.m4s'])
    expect((await playlist(`${inProgressId}/${name}`)).status).toBe(200)
  await removeDiscarded()
  expect((await playlist()).status).toBe(404)
  expect((await playlist(`${inProgressId}/0.m4s`)).status).toBe(404)
})

/** A worker presumed dead continues beside the one that repeats its job. */
test.each([
  { what: 'the one that was taken for dead', isFirstFaster: true },
  { what: 'the one that took the job over', isFirstFaster: false },
])(
  'counts only $what when it finishes first of two runs and lists each version once',
  async ({ isFirstFaster }) => {
    const { ids, run, release } = await inProgressFile()
    const { blobs, reached, release: releaseSecond } = holdBlobs(server.services.blobs, /\/2\.m4s$/)
    const second = createProcessFileHandler({ ...hands.dependencies, blobs })(
      await hands.jobOf(ids),
      new AbortController().signal,
      { number: 2, isLast: false },
    )
    await reached
    const settled = (one: Promise<void>) => one.catch((error: unknown) => error)
    const [faster, slower] = isFirstFaster ? [release, releaseSecond] : [releaseSecond, release]
    faster()
    await settled(isFirstFaster ? run : second)
    slower()
    await Promise.all([settled(run), settled(second)])
    await hands.process(ids)
    const file = await hands.get(ids)
    expect(file).toMatchObject({ Status: 'finished' })
    const listed = (await renditionsOf(ids.fileId)).filter(
      ({ generation, delivery }) => generation > 0 && delivery === 'packaged',
    )
    expect(listed).toMatchObject([{ name: '180p', state: 'complete' }])
    const row = await hands.rowOf(ids.fileId)
    const pictures = await kysely()
      .selectFrom('file_pictures')
      .select('size_bytes')
      .where('file_id', '=', ids.fileId)
      .execute()
    expect(row.storage_bytes).toBe(
      (row.source_size_bytes ?? 0) +
        (listed[0]?.size_bytes ?? 0) +
        (row.storyboard?.sizeBytes ?? 0) +
        pictures.reduce((sum, { size_bytes }) => sum + size_bytes, 0),
    )
  },
)

test('excludes renditions that a superseded run had listed when it was killed', async () => {
  const { ids, run, release, stop, inProgressId } = await inProgressFile()
  const { blobs, reached, release: releaseSecond } = holdBlobs(server.services.blobs, /\/2\.m4s$/)
  const stopped = new AbortController()
  const second = createProcessFileHandler({ ...hands.dependencies, blobs })(
    await hands.jobOf(ids),
    stopped.signal,
    { number: 2, isLast: false },
  )
  await reached
  release()
  await run
  stop()
  stopped.abort()
  releaseSecond()
  await second.catch(() => {})
  await hands.finish(ids)
  const { Renditions } = await hands.get(ids)
  const names = Renditions.map(({ Name }: { Name: string }) => Name)
  expect(new Set(names).size).toBe(names.length)
  expect(Renditions.map(({ Id }: { Id: number }) => Id)).toContain(inProgressId)
})
