import { MediaError, mediaMessage } from '@zoetrope/ffmpeg'
import { IsobmffError } from '@zoetrope/isobmff'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeSample } from '../../../../test/support/media.ts'
import { request, startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { setProgress } from '../encode/file-progress.ts'
import { createEncodeLadderHandler } from './encode-ladder-handler.ts'
import { createInFlightUploads } from '../../../library/files/media/in-flight-uploads.ts'
import { createProcessFileHandler } from './process-file-handler.ts'
import { runFileJob } from '../processing/run-file-job.ts'

let server: TestServer

beforeAll(async () => {
  // No worker runs: the test calls each handler, so that it sees each state and can make the next step fail.
  server = await startTestServer()
})

afterAll(async () => {
  await server.stop()
})

const firstTry = { number: 1, isLast: false }
const never = new AbortController().signal

const uploadSample = async (seconds: number, body: object = {}) => {
  const project = await server.call('POST', '/projects', {
    body: { Name: 'States', EncoderSettings: { LadderMode: 'eager' } },
  })
  const created = await server.call('POST', `/projects/${project.body.Id}/files`, {
    body: { FileName: 'clip.mp4', ...body },
  })
  // The title of the sound leaves the file to the worker: the api lists what plays only of plain movies.
  const extra = ['-metadata:s:a:0', 'title=Main']
  const bytes = await makeSample({ seconds, size: '854x480', extra })
  await request(created.body.Upload.URI, 'PUT', { body: bytes })
  const { id: accountId } = await server.services.database.kysely
    .selectFrom('accounts')
    .select('id')
    .executeTakeFirstOrThrow()
  return { accountId, projectId: project.body.Id as number, fileId: created.body.Id as number }
}

const dependencies = () => ({
  database: server.services.database,
  blobs: server.services.blobs,
  publicUrl: server.url,
  log: server.services.log,
  workFolder: `${server.dataFolder}/work`,
  jobs: server.services.jobs,
  inFlightUploads: createInFlightUploads(server.services.database, server.services.stagings.disk.path),
  maxDurationSeconds: 5,
})

const read = async ({ projectId, fileId }: { projectId: number; fileId: number }) =>
  (await server.call('GET', `/projects/${projectId}/files/${fileId}`)).body

const eventsOf = async (fileId: number) =>
  (
    await server.services.database.kysely
      .selectFrom('events')
      .select(['name', 'sequence'])
      .where('file_id', '=', fileId)
      .orderBy('sequence')
      .execute()
  ).map(({ name }) => name)

test('sets the documented flags in each state: created, playable, finished', async () => {
  const job = await uploadSample(3)
  expect(await read(job)).toMatchObject({
    Status: 'created',
    IsFinished: false,
    IsEncoded: false,
    HasErrors: false,
  })
  await createProcessFileHandler(dependencies())(job, never, firstTry)
  expect(await read(job)).toMatchObject({
    Status: 'playable',
    IsFinished: false,
    IsEncoded: true,
    HasErrors: false,
  })
  await createEncodeLadderHandler(dependencies())(job, never, firstTry)
  expect(await read(job)).toMatchObject({
    Status: 'finished',
    IsFinished: true,
    IsEncoded: true,
    HasErrors: false,
  })
  // file.playable contains the record of that moment; a job that runs twice emits no event twice.
  await createProcessFileHandler(dependencies())(job, never, firstTry)
  await createEncodeLadderHandler(dependencies())(job, never, firstTry)
  expect(await eventsOf(job.fileId)).toEqual([
    'file.created',
    'file.uploaded',
    'file.encoding',
    'file.playable',
    'file.encoded',
    'file.new',
  ])
})

test('degrades a playable file whose ladder fails permanently, keeps it playing and emits file.new once', async () => {
  const job = await uploadSample(3)
  await createProcessFileHandler(dependencies())(job, never, firstTry)
  const { media_blob: source } = await server.services.database.kysely
    .selectFrom('renditions')
    .select('media_blob')
    .where('file_id', '=', job.fileId)
    .executeTakeFirstOrThrow()
  await server.services.blobs.delete(source)
  const ladder = createEncodeLadderHandler(dependencies())
  await expect(ladder(job, never, firstTry)).rejects.toThrow()
  expect(await read(job)).toMatchObject({ Status: 'playable' })
  await ladder(job, never, { number: 21, isLast: true })
  const file = await read(job)
  expect(file).toMatchObject({ Status: 'degraded', IsFinished: true, IsEncoded: true, HasErrors: true })
  expect(file.ErrorMessage).toBe(
    'The file could not be processed because of an error on the server. Try again.',
  )
  expect((await eventsOf(job.fileId)).slice(-2)).toEqual(['file.failed', 'file.new'])
})

const corrupt = () => new IsobmffError('truncated', 'The stream contains no fragment.')
const previousOf = (error: Error) => ({ name: error.name, message: error.message })
const diskFull = () => Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
const ffmpegDiskFull = () => new MediaError('disk_full', mediaMessage('disk_space_used_up'))
const databaseAway = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
const storeAway = () => new TypeError('fetch failed', { cause: databaseAway() })
const workerGone = () => ({ name: 'Error', message: 'its worker is gone' })

test.each<[string, () => Error, ReturnType<typeof previousOf> | undefined, 'failed' | 'created']>([
  ['the first program error', corrupt, undefined, 'created'],
  ['the same program error for the second time', corrupt, previousOf(corrupt()), 'failed'],
  ['a program error after a killed worker', corrupt, workerGone(), 'created'],
  ['a program error after another one', corrupt, previousOf(new RangeError('offset')), 'created'],
  ['a full disk, again', diskFull, previousOf(diskFull()), 'created'],
  ['a full disk that stops ffmpeg, again', ffmpegDiskFull, previousOf(ffmpegDiskFull()), 'created'],
  ['an absent database, again', databaseAway, previousOf(databaseAway()), 'created'],
  ['an absent blob store, again', storeAway, previousOf(storeAway()), 'created'],
])(
  'after %s retries a file, or fails it when a retry cannot help',
  async (_what, make, previousError, status) => {
    const job = { ...(await uploadSample(3)), generation: 1 }
    const attempt = { number: 3, isLast: false, ...(previousError && { previousError }) }
    const run = runFileJob(dependencies(), job, never, attempt, () => Promise.reject(make()))
    if (status === 'failed') await run
    else await expect(run).rejects.toThrow(make().message)
    const { Status, ErrorMessage } = await read(job)
    expect(Status).toBe(status)
    if (status === 'failed') expect(ErrorMessage).toMatch(/could not be packaged.*Export it again/)
  },
)

test('fails a source that exceeds the maximum duration', async () => {
  const job = await uploadSample(6)
  await createProcessFileHandler(dependencies())(job, never, firstTry)
  expect(await read(job)).toMatchObject({ Status: 'failed' })
  expect((await eventsOf(job.fileId)).at(-1)).toBe('file.failed')
})

test('finishes a playable source unchanged when encoding is off', async () => {
  const job = await uploadSample(3, { UseEncoding: false })
  await createProcessFileHandler(dependencies())(job, never, firstTry)
  const file = await read(job)
  expect(file).toMatchObject({ Status: 'finished', UseEncoding: false })
  expect(file.Renditions.map(({ Name }: { Name: string }) => Name)).toEqual(['source', 'source'])
  const sizes = file.Renditions.map(({ Size }: { Size: number }) => Size)
  expect(Math.min(...sizes)).toBeGreaterThan(0)
  expect(sizes[0] + sizes[1]).toBeLessThanOrEqual(file.Properties.Size)
})

test('leaves the file to the next worker when a worker stops midway', async () => {
  const job = await uploadSample(3)
  const stopped = new AbortController()
  stopped.abort()
  await expect(createProcessFileHandler(dependencies())(job, stopped.signal, firstTry)).rejects.toThrow()
  expect(await read(job)).toMatchObject({ Status: 'created' })
  await createProcessFileHandler(dependencies())(job, never, firstTry)
  expect(await read(job)).toMatchObject({ Status: 'playable' })
})

test('shows the reported progress in EncodingProgress and ends the job on deletion', async () => {
  const job = await uploadSample(3)
  await runFileJob(dependencies(), job, never, firstTry, async (run) => {
    run.report(42)
    await waitFor(
      () => read(job),
      ({ EncodingProgress }) => EncodingProgress === 42,
    )
    await server.call('DELETE', `/projects/${job.projectId}/files/${job.fileId}`)
    await new Promise((resolve) => run.signal.addEventListener('abort', resolve))
  })
  expect((await eventsOf(job.fileId)).at(-1)).toBe('file.deleted')
})

test('progress that is stored late changes nothing of a finished file', async () => {
  const job = await uploadSample(1, { UseEncoding: false })
  await createProcessFileHandler(dependencies())(job, never, firstTry)
  const finished = await read(job)
  expect(finished.Status).toBe('finished')
  const { database } = server.services
  await setProgress(database, server.url, job, { percent: 42, readyAt: new Date() })
  expect(await read(job)).toEqual(finished)
})
