import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createHands } from '../../../../test/support/hands.ts'
import { countFrames, makeSample } from '../../../../test/support/media.ts'
import { request, startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import { expectProblem } from '../../../platform/http/test-support/expect-problem.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { MediaFileState } from '../../../platform/db/tables/files.ts'
import { holdBlobs } from '../test-support/hold-blobs.ts'
import { createEncodeLadderHandler, type LadderDependencies } from './encode-ladder-handler.ts'

let server: TestServer
let hands: ReturnType<typeof createHands>
let projectId: number
let sample: Buffer

beforeAll(async () => {
  server = await startTestServer()
  hands = createHands(server)
  projectId = await hands.newProject()
  sample = await hands.sample()
})

afterAll(() => server.stop())

interface Ids {
  readonly projectId: number
  readonly fileId: number
}

const retry = (ids: Ids, query = '', options = {}) =>
  server.call('POST', `/projects/${ids.projectId}/files/${ids.fileId}/retry${query}`, options)

const names = (file: { Renditions: { Name: string }[] }) => file.Renditions.map(({ Name }) => Name)

const storageBytes = async (): Promise<number> =>
  (await server.call('GET', `/projects/${projectId}`)).body.StorageBytes

const setState = (fileId: number, state: MediaFileState) =>
  server.services.database.kysely.updateTable('media_files').set({ state }).where('id', '=', fileId).execute()

test('processes a failed file again as if it had never failed', async () => {
  // A plain movie would play without a worker.
  const titled = await makeSample({ seconds: 1, extra: ['-metadata:s:a:0', 'title=Main'] })
  const ids = await hands.upload(projectId, titled)
  await hands.giveUp(ids)
  expect(await hands.get(ids)).toMatchObject({ Status: 'failed', IsFinished: true, HasErrors: true })
  const answer = await retry(ids)
  expect(answer.status).toBe(200)
  expect(answer.body).toMatchObject({
    Status: 'uploaded',
    IsFinished: false,
    HasErrors: false,
    ErrorMessage: null,
    EncodingProgress: 0,
  })
  expectProblem(await retry(ids), 'conflict')
  await hands.process(ids)
  expect(await hands.get(ids)).toMatchObject({ Status: 'finished', HasErrors: false, ErrorMessage: null })
  expect(await hands.eventsOf(ids.fileId)).toEqual([
    'file.created',
    'file.failed',
    'file.encoding',
    'file.playable',
    'file.released',
    'file.encoded',
    'file.new',
  ])
})

test('keeps a degraded file playing until the new renditions are complete, then finishes it', async () => {
  const ids = await hands.upload(projectId, sample)
  await hands.process(ids)
  await hands.giveUp(ids)
  const degraded = await hands.get(ids)
  expect(degraded).toMatchObject({ Status: 'degraded', HasErrors: true })
  const { body: begun } = await retry(ids)
  expect(begun).toMatchObject({ Status: 'playable', IsPlayable: true, HasErrors: false, IsFinished: false })
  expect(begun.Renditions).toEqual(degraded.Renditions)
  await hands.process(ids)
  expect((await hands.get(ids)).Renditions).toEqual(degraded.Renditions)
  await hands.ladder(ids)
  const finished = await hands.get(ids)
  expect(finished).toMatchObject({ Status: 'finished', HasErrors: false, ErrorMessage: null })
  expect(names(finished).toSorted()).toEqual([...names(degraded), '360p'].toSorted())
  // file.new was emitted when the file was degraded, and is emitted once per file.
  expect((await hands.eventsOf(ids.fileId)).slice(-4)).toEqual([
    'file.failed',
    'file.new',
    'file.encoding',
    'file.encoded',
  ])
})

test('applies the project settings to a finished file with force, without interrupting viewers', async () => {
  const ids = await hands.upload(projectId, sample)
  await hands.finish(ids)
  const before = await hands.get(ids)
  expectProblem(await retry(ids), 'conflict')
  expectProblem(await retry(ids, '?force=maybe'), 'invalid')
  await server.call('PUT', `/projects/${projectId}`, {
    body: { EncoderSettings: { Renditions: [{ Height: 240 }] } },
  })
  expect((await retry(ids, '?force=true')).status).toBe(200)
  const playout = before.Playouts[0].HLS
  const frames = await countFrames(playout)
  await hands.process(ids)
  expect((await hands.get(ids)).Renditions).toEqual(before.Renditions)
  expect(await countFrames(playout)).toBe(frames)
  await hands.ladder(ids)
  const after = await hands.get(ids)
  expect(names(after)).toContain('240p')
  expect(names(after)).not.toContain('360p')
  expect(after.Playouts).toEqual(before.Playouts)
  expect(after.Metadata).toEqual(before.Metadata)
  expect(await countFrames(playout)).toBe(frames)
  await server.call('PUT', `/projects/${projectId}`, { body: { EncoderSettings: { Renditions: null } } })
})

test('serves old renditions to current viewers until their removal and counts the bytes exactly', async () => {
  const ids = await hands.upload(projectId, sample)
  await hands.finish(ids)
  const before = await hands.get(ids)
  const usedBefore = await storageBytes()
  const old = before.Renditions.find(({ Name }: { Name: string }) => Name === '360p')
  const segment = `${server.url}/v/${before.Playouts[0].Id}/${old.Id}/0.m4s`
  const playlist = `${server.url}/v/${before.Playouts[0].Id}/${old.Id}/playlist.m3u8`
  const oldText = (await request(playlist, 'GET')).body
  await retry(ids, '?force=true')
  await hands.finish(ids)
  expect((await request(segment, 'GET')).status).toBe(200)
  expect(await request(playlist, 'GET')).toMatchObject({ status: 200, body: oldText })
  expect((await request(before.Playouts[0].HLS, 'GET')).body).not.toContain(`${old.Id}/`)
  expect(await storageBytes()).toBe(usedBefore)
  await hands.housekeeping()
  expect((await request(segment, 'GET')).status).toBe(200)
  await server.services.database.kysely
    .updateTable('discarded_media')
    .set({ remove_after: new Date(0) })
    .execute()
  await hands.housekeeping()
  expect((await request(segment, 'GET')).status).toBe(404)
  expect((await request(playlist, 'GET')).status).toBe(404)
  expect(await countFrames(before.Playouts[0].HLS)).toBeGreaterThan(50)
  const rows = await server.services.database.kysely
    .selectFrom('renditions')
    .select('id')
    .where('file_id', '=', ids.fileId)
    .execute()
  expect(rows).toHaveLength((await hands.get(ids)).Renditions.length)
})

test('degrades a finished file whose new encode fails, keeps it playing with a message, and recovers on retry', async () => {
  const ids = await hands.upload(projectId, sample)
  await hands.finish(ids)
  const before = await hands.get(ids)
  const usedBefore = await storageBytes()
  await retry(ids, '?force=true')
  await hands.process(ids)
  await hands.giveUp(ids)
  const after = await hands.get(ids)
  expect(after).toMatchObject({ Status: 'degraded', IsFinished: true, IsEncoded: true, HasErrors: true })
  expect(after.ErrorMessage).toMatch(/^It could not be encoded again and plays as before: /)
  expect(after).toMatchObject({
    ErrorReason: 'encoding_again_failed',
    ErrorParams: { cause: { reason: 'processing_failed', params: {} } },
  })
  expect(after.Renditions).toEqual(before.Renditions)
  expect(await storageBytes()).toBe(usedBefore)
  expect((await hands.eventsOf(ids.fileId)).at(-1)).toBe('file.failed')
  await retry(ids)
  await hands.finish(ids)
  expect(await hands.get(ids)).toMatchObject({ Status: 'finished', HasErrors: false })
  expect(await storageBytes()).toBe(usedBefore)
})

test('tolerates a job that is interrupted or runs twice', async () => {
  const ids = await hands.upload(projectId, sample)
  await hands.finish(ids)
  const usedBefore = await storageBytes()
  await retry(ids, '?force=true')
  const job = await hands.jobOf(ids)
  const stopped = new AbortController()
  stopped.abort()
  await expect(hands.processJob(job, stopped.signal)).rejects.toThrow()
  await hands.processJob(job)
  await hands.processJob(job)
  await expect(hands.ladderJob(job, stopped.signal)).rejects.toThrow()
  await hands.ladderJob(job)
  await hands.ladderJob(job)
  await hands.processJob(job)
  expect(await hands.get(ids)).toMatchObject({ Status: 'finished' })
  expect(await storageBytes()).toBe(usedBefore)
})

/** Begins to encode a finished file again, up to its ladder. */
const encodeAgain = async () => {
  const ids = await hands.upload(projectId, sample)
  await hands.finish(ids)
  const usedBytes = await storageBytes()
  await retry(ids, '?force=true')
  await hands.process(ids)
  const job = await hands.jobOf(ids)
  const encode = (changed: Partial<LadderDependencies>) =>
    createEncodeLadderHandler({ ...hands.dependencies, ...changed })(job, new AbortController().signal, {
      number: 1,
      isLast: false,
    })
  const completed = () =>
    server.services.database.kysely
      .selectFrom('renditions')
      .select('media_blob')
      .where('file_id', '=', ids.fileId)
      .where('generation', '=', job.generation)
      .where('delivery', '=', 'packaged')
      .where('state', '=', 'complete')
      .execute()
  /** Expects that the file is finished, and that its ladder is stored and counted once. */
  const expectCountedOnce = async () => {
    expect(await hands.get(ids)).toMatchObject({ Status: 'finished', HasErrors: false })
    expect(await storageBytes()).toBe(usedBytes)
    const [rendition, ...others] = await completed()
    expect(others).toEqual([])
    expect(await server.services.blobs.list(`${rendition?.media_blob}/`)).toContain(
      `${rendition?.media_blob}/init.mp4`,
    )
  }
  return { encode, completed, expectCountedOnce }
}

test('counts a rendition once when another worker takes over its job as it is completed', async () => {
  const { encode, expectCountedOnce } = await encodeAgain()
  const { blobs, reached, release } = holdBlobs(server.services.blobs, /\/0\.m4s$/)
  const first = encode({ blobs })
  await reached
  const [clears, firstEnds] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const deletePrefix = async (prefix: string): Promise<number> => {
    clears.resolve()
    await firstEnds.promise
    return server.services.blobs.deletePrefix(prefix)
  }
  const second = encode({ blobs: { ...server.services.blobs, deletePrefix } })
  await Promise.race([clears.promise, second])
  release()
  await Promise.allSettled([first])
  firstEnds.resolve()
  await second
  await expectCountedOnce()
})

test('keeps a rendition when the connection is lost during its commit', async () => {
  const { encode, completed, expectCountedOnce } = await encodeAgain()
  const { database } = hands.dependencies
  const transaction: Database['transaction'] = async (work) => {
    const before = await completed()
    const result = await database.transaction(work)
    if ((await completed()).length > before.length) throw new Error('connection lost')
    return result
  }
  await expect(encode({ database: { ...database, transaction } })).rejects.toThrow('connection lost')
  await encode({})
  await expectCountedOnce()
})

describe('Retry returns 409', () => {
  test.each<[MediaFileState, RegExp]>([
    ['created', /no bytes yet/],
    ['uploaded', /being processed/],
    ['encoding', /being processed/],
    ['playable', /being processed/],
    ['finished', /force=true/],
  ])('in the state %s and states what to do', async (state, words) => {
    const ids =
      state === 'created'
        ? {
            projectId,
            fileId: (
              await server.call('POST', `/projects/${projectId}/files`, { body: { FileName: 'a.mp4' } })
            ).body.Id,
          }
        : await hands.upload(projectId, Buffer.from('bytes'))
    await setState(ids.fileId, state)
    const answer = await retry(ids)
    expectProblem(answer, 'conflict')
    expect(answer.body.error.message).toMatch(words)
  })

  test('when the source is no longer stored', async () => {
    const ids = await hands.upload(projectId, Buffer.from('bytes'))
    await hands.process(ids)
    expect((await hands.get(ids)).Status).toBe('failed')
    await server.services.blobs.delete(`a1/p${projectId}/f${ids.fileId}/source`)
    const answer = await retry(ids)
    expectProblem(answer, 'conflict')
    expect(answer.body.error.message).toContain('Replace the file')
  })
})

test('returns 412 for an old If-Match, 404 for an unknown file, and starts concurrent retries once', async () => {
  const ids = await hands.upload(projectId, Buffer.from('bytes'))
  await hands.process(ids)
  expectProblem(await retry(ids, '', { headers: { 'If-Match': '"1-1"' } }), 'stale')
  expectProblem(await retry({ projectId, fileId: 999_999 }), 'not_found')
  const answers = await Promise.all([retry(ids), retry(ids), retry(ids)])
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409, 409])
})

test('an unsuitable ffmpeg fails no file, however often it is tried', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-test-'))
  // Media processes run as another user.
  await chmod(folder, 0o755)
  const old = `#!/bin/sh
echo "[error] Unrecognized option 'stats_period'." >&2
echo "[fatal] Error splitting the argument list: Option not found" >&2
exit 1
`
  for (const program of ['ffmpeg', 'ffprobe']) await writeFile(join(folder, program), old, { mode: 0o755 })
  const ids = await hands.upload(projectId, await makeSample({ seconds: 1, extra: ['-c:v', 'mpeg4'] }))
  const { PATH = '' } = process.env
  process.env['PATH'] = `${folder}:${PATH}`
  try {
    const attempt = { number: 19, isLast: false }
    await expect(hands.process(ids, attempt)).rejects.toMatchObject({ code: 'program_unusable' })
  } finally {
    process.env['PATH'] = PATH
    await rm(folder, { recursive: true })
  }
  expect((await hands.get(ids)).Status).toBe('created')
  await hands.process(ids)
  await hands.ladder(ids)
  expect((await hands.get(ids)).Status).toBe('finished')
})
