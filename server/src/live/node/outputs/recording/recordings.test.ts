import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { KyselyPlugin } from 'kysely'
import { IsobmffError } from '@zoetrope/isobmff'
import { resumeAfter, type PackagerResume } from '@zoetrope/ll-hls'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createHands } from '../../../../../test/support/hands.ts'
import { countFrames } from '../../../../../test/support/media.ts'
import { startTestServer, type TestServer } from '../../../../../test/support/test-server.ts'
import { waitFor } from '../../../../../test/support/wait-for.ts'
import type { Services } from '../../../../app/roles/services.ts'
import { createPurgeFilesHandler } from '../../../../library/files/jobs/purge-file-handler.ts'
import { removeGarbage } from '../../../../library/files/media/remove-garbage.ts'
import { BlobStoreUnavailableError, type BlobStore } from '../../../../platform/blobs/blob-store.ts'
import { piecesPrefix } from '../../../control/store/left-pieces.ts'
import { openLiveStream } from '../../../control/store/live-stream-store.ts'
import { purgeLiveStreams } from '../../../control/store/purge-live-streams.ts'
import { cannedStream, noisyStream, send } from './test-support/canned-stream.ts'
import { newRecordingName } from './recording-name.ts'
import { beginRecording } from './recording-store.ts'
import type { KilledNodeOptions } from './test-support/killed-node.ts'
import { insertBroadcast, recordBroadcast, type Broadcast } from './test-support/recording-node.ts'

let server: TestServer
let hands: ReturnType<typeof createHands>
let folder: string
let running: { stop: () => Promise<void> }[] = []
const nodeId = randomUUID()

beforeAll(async () => {
  server = await startTestServer({ withWorker: true })
  hands = createHands(server)
})

beforeEach(async () => {
  folder = await mkdtemp(join(server.dataFolder, 'recordings-'))
})

afterEach(async () => {
  await Promise.all(running.map(({ stop }) => stop()))
  running = []
})

afterAll(() => server.stop())

const newBroadcast = async (projectId?: number): Promise<Broadcast> => {
  const { services } = server
  const { id: accountId } = await services.database.kysely
    .selectFrom('accounts')
    .select('id')
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow()
  const owner = { accountId, projectId: projectId ?? (await hands.newProject()) }
  return insertBroadcast(services, await openLiveStream(services.database.kysely, services.secrets, owner))
}

type Options = Partial<Parameters<typeof recordBroadcast>[2]>

const record = async (broadcast: Broadcast, options: Options = {}, services: Partial<Services> = {}) => {
  const recording = await recordBroadcast({ ...server.services, ...services }, broadcast, {
    folder,
    nodeId,
    ...options,
  })
  running.push(recording.recordings)
  return recording
}

const insertNode = (id: string) =>
  server.services.database.kysely
    .insertInto('live_nodes')
    .values({ id, url: 'http://127.0.0.1:1', public_url: null, disk: '', taken_ports: '[]' })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()

const rowsOf = ({ broadcastId }: Broadcast) =>
  server.services.database.kysely
    .selectFrom('live_recordings')
    .selectAll()
    .where('broadcast_id', '=', broadcastId)
    .orderBy('id')
    .execute()

const rowsWhenEnded = (broadcast: Broadcast) =>
  waitFor(
    () => rowsOf(broadcast),
    (rows) => rows.every(({ state }) => state === 'finished' || state === 'failed'),
  )

const eventsOf = async ({ projectId }: Broadcast) => {
  const { body } = await server.call('GET', `/events?projectId=${projectId}&limit=100`)
  return (
    body.Events as {
      Event: string
      Live?: { Recording: { Kind: string; FileId: number | null; Message: string | null } }
    }[]
  ).toReversed()
}

/** Waits for the event of an end: it is visible only after all events that are being written at the same time. */
const eventsAfterEnds = (broadcast: Broadcast, ends = 1) =>
  waitFor(
    () => eventsOf(broadcast),
    (events) => events.filter(({ Event }) => Event === 'recording.finished').length >= ends,
  )

const fileWhen = (
  broadcast: Broadcast,
  fileId: number,
  isThere: (file: { IsPlayable: boolean; IsFinished: boolean; Status: string }) => boolean,
) =>
  waitFor(
    async () => (await server.call('GET', `/projects/${broadcast.projectId}/files/${fileId}`)).body,
    isThere,
  )

test('a broadcast becomes a file that is playable at once, with its events', async () => {
  const broadcast = await newBroadcast()
  const { recorder, packager } = await record(broadcast)
  const stream = await cannedStream()
  send(packager, stream)
  expect(recorder.state()).toMatchObject({ state: 'recording' })
  packager.end()
  await recorder.stop('ended')
  expect(await rowsOf(broadcast)).toMatchObject([{ ended_at: expect.any(Date) }])
  const [row] = await rowsWhenEnded(broadcast)
  const file = await fileWhen(broadcast, row!.file_id!, ({ IsPlayable }) => IsPlayable)
  expect(row).toMatchObject({ state: 'finished', message: null, kind: 'recording' })
  expect(file).toMatchObject({
    Source: { Kind: 'recording', URI: null },
    Metadata: { Title: row!.title, ReleaseStatus: 'unpublished' },
    Properties: { VideoWidth: 320, VideoHeight: 180, AudioSampleRate: 48_000 },
  })
  expect(row!.title).toMatch(/, \d{4}-\d\d-\d\d \d\d:\d\d UTC$/)
  const { body: renditions } = await server.call(
    'GET',
    `/projects/${broadcast.projectId}/files/${row!.file_id}`,
  )
  expect(renditions.Properties.Length).toBeCloseTo(6, 1)
  const rows = await server.services.database.kysely
    .selectFrom('renditions')
    .select(['kind', 'delivery'])
    .where('file_id', '=', row!.file_id!)
    .execute()
  expect(rows.filter(({ delivery }) => delivery === 'in_place').map(({ kind }) => kind)).toEqual([
    'video',
    'audio',
  ])
  const key = await server.services.database.kysely
    .selectFrom('media_files')
    .select('source_blob')
    .where('id', '=', row!.file_id!)
    .executeTakeFirstOrThrow()
  await server.services.blobs.withLocalFile(key.source_blob!, async (path) =>
    expect(await countFrames(path)).toBe(stream.video.units.length),
  )
  const events = await eventsAfterEnds(broadcast)
  const names = events.map(({ Event }) => Event)
  expect(names.filter((name) => name.startsWith('recording.'))).toEqual([
    'recording.started',
    'recording.finished',
  ])
  expect(names.filter((name) => name === 'file.created')).toHaveLength(1)
  const finished = events.find(({ Event }) => Event === 'recording.finished')
  expect(finished?.Live?.Recording.FileId).toBe(row!.file_id)
  expect(await readdir(folder)).toEqual([])
})

test('a killed node loses no complete fragment: the next node makes one file of them', async () => {
  const broadcast = await newBroadcast()
  const options: KilledNodeOptions = {
    connection: server.services.database.connection,
    environment: {
      ZOETROPE_DATA: server.dataFolder,
      ZOETROPE_PUBLIC_URL: server.url,
      ZOETROPE_LOG_LEVEL: 'silent',
    },
    broadcast,
    folder,
    nodeId: randomUUID(),
  }
  const script = fileURLToPath(new URL('./test-support/killed-node.ts', import.meta.url))
  const child = spawn(process.execPath, [script, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
  expect(await rowsOf(broadcast)).toMatchObject([{ state: 'recording', file_id: null }])

  const next = await record(broadcast)
  const [row] = await waitFor(
    () => rowsOf(broadcast),
    (rows) => rows[0]?.state === 'finished',
  )
  const file = await fileWhen(broadcast, row!.file_id!, ({ IsPlayable }) => IsPlayable)
  expect((file as unknown as { Properties: { Length: number } }).Properties.Length).toBeGreaterThanOrEqual(4)
  send(next.packager, await cannedStream())
  next.packager.end()
  await next.recorder.stop('ended')
  const rows = await rowsWhenEnded(broadcast)
  expect(rows.map(({ state }) => state)).toEqual(['finished', 'finished'])
  expect(rows[1]!.title).toMatch(/ \(part 2\)$/)
  const names = (await eventsAfterEnds(broadcast, 2)).map(({ Event }) => Event)
  for (const name of ['recording.started', 'recording.finished', 'file.created'])
    expect(names.filter((one) => one === name)).toHaveLength(2)
})

test('a crash between any two steps of saving loses nothing and makes no second file', async () => {
  const { services } = server
  const broadcast = await newBroadcast()
  const { blobs } = services
  let failures = 0
  const failing = {
    blobs: {
      ...blobs,
      // Fails once before the bytes are moved, and once after, when no row shows it yet.
      adopt: async (path: string, key: string) => {
        failures++
        if (failures === 1) throw new Error('crash')
        const adopted = await blobs.adopt(path, key)
        if (failures === 2) throw new Error('crash')
        return adopted
      },
    },
  }
  const { recorder, packager } = await record(broadcast, {}, failing)
  send(packager, await cannedStream())
  packager.end()
  await recorder.stop('ended')
  await waitFor(
    () => rowsOf(broadcast),
    (rows) => rows[0]?.state === 'finished',
  )
  expect(failures).toBe(3)
  const names = (await eventsAfterEnds(broadcast)).map(({ Event }) => Event)
  for (const name of ['recording.finished', 'file.created'])
    expect(names.filter((one) => one === name)).toHaveLength(1)
})

test('finds a recording from a database outage by its file name, also in a project that is deleted now', async () => {
  const broadcast = await newBroadcast()
  const { database } = server.services
  const away = { ...database, transaction: () => Promise.reject(new Error('away')) }
  const lonely = await record(broadcast, {}, { database: away })
  send(lonely.packager, await cannedStream())
  lonely.packager.end()
  const stopping = lonely.recorder.stop('ended')
  await lonely.recordings.stop()
  await stopping
  expect(await rowsOf(broadcast)).toEqual([])
  expect(await readdir(folder)).toHaveLength(1)

  const setDeleted = (deleted_at: Date | null) =>
    database.kysely
      .updateTable('projects')
      .set({ deleted_at })
      .where('id', '=', broadcast.projectId)
      .execute()
  await setDeleted(new Date())
  await record(broadcast, { strayAfterMs: 0 })
  await waitFor(
    () => rowsOf(broadcast),
    (rows) => rows.length === 1,
  )
  await setDeleted(null)
  await waitFor(
    () => rowsOf(broadcast),
    (rows) => rows[0]?.state === 'finished',
  )
})

test('warns before the disk is full; a full disk ends the file, and recording continues in another one', async () => {
  const broadcast = await newBroadcast()
  const setWish = (is_recording_wanted: boolean) =>
    server.services.database.kysely
      .updateTable('live_streams')
      .set({ is_recording_wanted })
      .where('project_id', '=', broadcast.projectId)
      .execute()
  await setWish(true)
  let free = 2 ** 30 + 5_000_000
  const { recorder, packager, warnings, lasting } = await record(broadcast, { freeBytes: async () => free })
  send(packager, await cannedStream())
  await waitFor(
    async () => warnings,
    (codes) => codes.includes('disk_almost_full'),
  )
  free = 2 ** 30
  const [row] = await waitFor(
    () => rowsOf(broadcast),
    (rows) => rows[0]?.state === 'finished',
  )
  expect(row).toMatchObject({ message: 'The disk is full.' })
  expect([...lasting]).toEqual(['recording_stopped'])
  // A changed setting of the stream does not begin another file, and the row shows that recording is wanted.
  recorder.start()
  send(packager, await cannedStream(), { startMs: 6_000 })
  expect(recorder.state()).toBeNull()
  const stream = await server.services.database.kysely
    .selectFrom('live_streams')
    .select('is_recording_wanted')
    .where('project_id', '=', broadcast.projectId)
    .executeTakeFirstOrThrow()
  expect(stream.is_recording_wanted).toBe(true)
  free = 2 ** 31
  await waitFor(
    async () => lasting.size,
    (count) => count === 0,
  )
  send(packager, await cannedStream(), { startMs: 12_000 })
  expect(recorder.state()).toMatchObject({ state: 'recording' })
  packager.end()
  await recorder.stop('ended')
  const rows = await waitFor(
    () => rowsOf(broadcast),
    (all) => all.length === 2 && all.every(({ state }) => state === 'finished'),
  )
  expect(rows[1]).toMatchObject({ message: null, title: expect.stringMatching(/ \(part 2\)$/) })
})

test('does not continue a recording that a user stopped while the disk was full', async () => {
  const broadcast = await newBroadcast()
  let free = 2 ** 30
  const { recorder, packager, lasting } = await record(broadcast, { freeBytes: async () => free })
  send(packager, await cannedStream())
  await waitFor(
    () => rowsOf(broadcast),
    (rows) => rows[0]?.state === 'finished',
  )
  await recorder.finish()
  free = 2 ** 31
  await waitFor(
    async () => lasting.size,
    (count) => count === 0,
  )
  send(packager, await cannedStream(), { startMs: 6_000 })
  expect(recorder.state()).toBeNull()
  recorder.start()
  send(packager, await cannedStream(), { startMs: 12_000 })
  expect(recorder.state()).toMatchObject({ state: 'recording' })
  await recorder.stop('ended')
})

test('a folder that cannot be written to ends the recording and nothing else', async () => {
  const broadcast = await newBroadcast()
  const { recorder, packager, warnings } = await record(broadcast)
  await rm(folder, { recursive: true })
  send(packager, await cannedStream())
  const [row] = await waitFor(
    () => rowsOf(broadcast),
    (rows) => rows[0]?.state === 'failed',
  )
  expect(row!.message).toBe('The recording could not be written to disk.')
  expect(warnings).toEqual(['recording_stopped'])
  await recorder.stop('ended')
})

test('a recording keeps the reason for its end when a check for unsaved ones overlaps with it', async () => {
  const broadcast = await newBroadcast()
  const { database } = server.services
  const stateNow = async () => (await rowsOf(broadcast))[0]?.state
  const early = Promise.withResolvers<void>()
  const late = Promise.withResolvers<void>()
  const earlyIsDelivered = Promise.withResolvers<void>()
  // Delivers the rows that were read before the end after it, and before the rows that are read later.
  const lagging: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      const isOfRecording = result.rows.some((row) => 'file_name' in row)
      if (isOfRecording && (await stateNow()) === 'recording') {
        early.resolve()
        await late.promise
        earlyIsDelivered.resolve()
      } else if (isOfRecording) {
        late.resolve()
        await earlyIsDelivered.promise
        await setImmediate()
      }
      return result
    },
  }
  const { recorder, packager } = await record(
    broadcast,
    {},
    {
      database: {
        ...database,
        kysely: database.kysely.withPlugin(lagging),
        transaction: async (work) => {
          if ((await stateNow()) === 'recording') await early.promise
          return database.transaction(work)
        },
      },
    },
  )
  await rm(folder, { recursive: true })
  send(packager, await cannedStream())
  const [row] = await waitFor(
    () => rowsOf(broadcast),
    (rows) => rows[0]?.state === 'failed',
  )
  expect(row!.message).toBe('The recording could not be written to disk.')
  await recorder.stop('ended')
})

test('an exhausted quota ends the recording and keeps it', async () => {
  const broadcast = await newBroadcast()
  await server.services.database.kysely
    .updateTable('projects')
    .set({ storage_quota_bytes: 10_000 })
    .where('id', '=', broadcast.projectId)
    .execute()
  const { recorder, packager } = await record(broadcast)
  send(packager, await cannedStream())
  const [row] = await waitFor(
    () => rowsOf(broadcast),
    (rows) => rows[0]?.state === 'finished',
  )
  expect(row!.message).toBe('The storage quota of the project is used up.')
  await recorder.stop('ended')
})

test('leaves the recording of a silent node alone; keeps an unreadable file without retrying', async () => {
  const { database } = server.services
  const broadcast = await newBroadcast()
  const silent = randomUUID()
  await insertNode(silent)
  await database.sql`update live_nodes set seen_at = now() - interval '1 hour' where id = ${silent}`
  const file_name = newRecordingName({ ...broadcast, startedAt: new Date() })
  await writeFile(join(folder, file_name), 'no recording at all')
  await database.kysely
    .insertInto('live_recordings')
    .values({
      account_id: broadcast.accountId,
      project_id: broadcast.projectId,
      broadcast_id: broadcast.broadcastId,
      node_id: silent,
      file_name,
      title: 'Silent',
      message: null,
      file_id: null,
      ended_at: null,
    })
    .execute()
  const { recordings, recorder } = await record(broadcast, { strayAfterMs: 0 })
  await recorder.stop('ended')
  await recordings.stop()
  expect(await rowsOf(broadcast)).toMatchObject([{ state: 'recording' }])

  await database.sql`delete from live_nodes where id = ${silent}`
  await record(broadcast, { strayAfterMs: 0 })
  const [row] = await rowsWhenEnded(broadcast)
  expect(row).toMatchObject({ state: 'failed', file_id: null })
  expect(row!.message).toContain('cannot be read')
  expect(await readdir(folder)).toEqual([`${file_name}.broken`])
})

describe.each(['disk', 'media'] as const)(
  'a recording on %s whose project was deleted meanwhile',
  (storage) => {
    const setProject = (broadcast: Broadcast, change: { deleted_at: Date | null; purged_at?: Date }) =>
      server.services.database.kysely
        .updateTable('projects')
        .set(change)
        .where('id', '=', broadcast.projectId)
        .execute()
    const leftBytes = async (fileName: string) => [
      ...(await readdir(folder)),
      ...(await server.services.blobs.list(piecesPrefix(fileName))),
    ]
    /** Returns the row after the end of the broadcast, and after the node has tried to save the recording. */
    const recordAndDelete = async (broadcast: Broadcast) => {
      const { recordings, recorder, packager } = await record(broadcast, { storage })
      send(packager, await cannedStream())
      await waitFor(
        () => rowsOf(broadcast),
        (rows) => rows.length > 0,
      )
      await setProject(broadcast, { deleted_at: new Date() })
      packager.end()
      await recorder.stop('ended')
      await recordings.stop()
      return (await rowsOf(broadcast))[0]!
    }

    test('becomes a file after the restoration', async () => {
      const broadcast = await newBroadcast()
      const row = await recordAndDelete(broadcast)
      expect(row).toMatchObject({ state: 'finishing', file_id: null })
      expect(await leftBytes(row.file_name)).not.toEqual([])
      await record(broadcast, { storage })
      await setProject(broadcast, { deleted_at: null })
      const [saved] = await rowsWhenEnded(broadcast)
      expect(saved).toMatchObject({ state: 'finished', message: null })
      await fileWhen(broadcast, saved!.file_id!, ({ IsPlayable }) => IsPlayable)
    })

    test('is removed when the project is purged', async () => {
      const broadcast = await newBroadcast()
      const { file_name: fileName } = await recordAndDelete(broadcast)
      await setProject(broadcast, { deleted_at: new Date(), purged_at: new Date() })
      await record(await newBroadcast(), { storage })
      expect(await rowsWhenEnded(broadcast)).toMatchObject([{ state: 'failed', file_id: null }])
      await expect.poll(() => leftBytes(fileName)).toEqual([])
      // Otherwise the rows of the purged project would stay.
      await purgeLiveStreams(server.workerDatabase)
      expect(await rowsOf(broadcast)).toEqual([])
    })
  },
)

test('keeps the bytes of a recording while its file is deleted, until the file is restored', async () => {
  const broadcast = await newBroadcast()
  const { blobs, database } = server.services
  const setDeleted = (deleted_at: Date | null) =>
    database.kysely
      .updateTable('media_files')
      .set({ deleted_at })
      .where('project_id', '=', broadcast.projectId)
      .execute()
  const deleting: BlobStore = {
    ...blobs,
    adopt: async (path, key) => {
      const adopted = await blobs.adopt(path, key)
      await setDeleted(new Date())
      return adopted
    },
  }
  const { recordings, recorder, packager } = await record(
    broadcast,
    { nodeId: randomUUID() },
    { blobs: deleting },
  )
  send(packager, await cannedStream())
  packager.end()
  await recorder.stop('ended')
  await recordings.stop()
  expect(await rowsOf(broadcast)).toMatchObject([{ state: 'finishing', file_id: expect.any(Number) }])
  // The bytes are in the media storage, so they are not lost with the machine.
  await database.sql`
    update live_recordings set started_at = now() - interval '8 days' where broadcast_id = ${broadcast.broadcastId}`
  const elsewhere = { folder: await mkdtemp(join(server.dataFolder, 'elsewhere-')), nodeId: randomUUID() }
  const other = await record(await newBroadcast(), elsewhere)
  await other.recordings.stop()
  expect(await rowsOf(broadcast)).toMatchObject([{ state: 'finishing' }])
  await setDeleted(null)
  await record(await newBroadcast(), elsewhere)
  const [row] = await rowsWhenEnded(broadcast)
  expect(row).toMatchObject({ state: 'finished', message: null })
  await fileWhen(broadcast, row!.file_id!, ({ IsPlayable }) => IsPlayable)
})

test('a machine gives up a recording of another one only when its node has not returned for a week', async () => {
  const broadcast = await newBroadcast()
  const { blobs, database } = server.services
  const away: Partial<Services> = {
    blobs: { ...blobs, adopt: () => Promise.reject(new BlobStoreUnavailableError('gone')) },
  }
  const killed = await record(broadcast, { nodeId: randomUUID() }, away)
  send(killed.packager, await cannedStream())
  killed.packager.end()
  await killed.recorder.stop('ended')
  await killed.recordings.stop()
  /** Each node looks once at least before it stops. */
  const lookOnce = async (options: Options) => {
    const { recordings } = await record(await newBroadcast(), options, away)
    await recordings.stop()
    return (await rowsOf(broadcast))[0]
  }
  const next = randomUUID()
  await insertNode(next)
  expect(await lookOnce({ nodeId: next })).toMatchObject({ state: 'finishing', node_id: next })
  await database.sql`
    update live_recordings set started_at = now() - interval '8 days' where broadcast_id = ${broadcast.broadcastId}`
  const elsewhere = {
    folder: await mkdtemp(join(server.dataFolder, 'elsewhere-')),
    nodeId: randomUUID(),
  }
  expect(await lookOnce(elsewhere)).toMatchObject({ state: 'finishing' })
  await database.sql`delete from live_nodes where id = ${next}`
  expect(await lookOnce(elsewhere)).toMatchObject({
    state: 'failed',
    message: 'The machine that recorded the broadcast did not return.',
  })
  const [{ file_id: fileId } = { file_id: null }] = await rowsOf(broadcast)
  const { body: file } = await server.call('GET', `/projects/${broadcast.projectId}/files/${fileId}`)
  expect(file).toMatchObject({ Status: 'failed', ErrorReason: 'live_recording_failed' })
  expect(file.ErrorMessage).toMatch(/did not return\.$/)

  // The machine returns.
  await record(await newBroadcast(), { strayAfterMs: 0 })
  const [row] = await waitFor(
    () => rowsOf(broadcast),
    (rows) => rows[0]?.state === 'finished',
  )
  expect(row).toMatchObject({ message: null })
  await fileWhen(broadcast, row!.file_id!, ({ IsPlayable }) => IsPlayable)
  expect(await readdir(folder)).toEqual([])
})

test('removes the files of recordings that are over, which a killed node has left', async () => {
  const broadcast = await newBroadcast()
  const leave = async (row: { state: 'finished' | 'failed'; file_id: number | null }) => {
    const file_name = newRecordingName({ ...broadcast, startedAt: new Date() })
    await writeFile(join(folder, file_name), 'no recording at all')
    await server.services.database.kysely
      .insertInto('live_recordings')
      .values({
        ...row,
        account_id: broadcast.accountId,
        project_id: broadcast.projectId,
        broadcast_id: broadcast.broadcastId,
        node_id: randomUUID(),
        file_name,
        title: '',
        message: null,
        ended_at: new Date(),
      })
      .execute()
    return file_name
  }
  const purgedFileId = 2 ** 40
  await leave({ state: 'finished', file_id: purgedFileId })
  await leave({ state: 'failed', file_id: purgedFileId })
  const unreadable = await leave({ state: 'failed', file_id: null })
  const before = await rowsOf(broadcast)
  await record(broadcast, { strayAfterMs: 0 })
  await expect.poll(() => readdir(folder)).toEqual([`${unreadable}.broken`])
  expect(await rowsOf(broadcast)).toEqual(before)
})

test('finishes a recording that another node gives up while its bytes are being stored', async () => {
  const broadcast = await newBroadcast()
  const { blobs, database } = server.services
  const { recorder, packager } = await record(
    broadcast,
    {},
    {
      blobs: {
        ...blobs,
        adopt: async (path, key) => {
          const adopted = await blobs.adopt(path, key)
          await database.sql`
            update live_recordings set state = 'failed', message = 'The machine did not return.'
            where broadcast_id = ${broadcast.broadcastId}`
          return adopted
        },
      },
    },
  )
  send(packager, await cannedStream())
  packager.end()
  await recorder.stop('ended')
  const [row] = await waitFor(
    () => rowsOf(broadcast),
    (rows) => rows[0]?.state === 'finished',
  )
  expect(row).toMatchObject({ message: null })
  await fileWhen(broadcast, row!.file_id!, ({ IsPlayable }) => IsPlayable)
})

test('a recording whose file got another source meanwhile fails, and its bytes are discarded', async () => {
  const broadcast = await newBroadcast()
  const { blobs, database } = server.services
  let stored = ''
  const { recorder, packager } = await record(
    broadcast,
    {},
    {
      blobs: {
        ...blobs,
        adopt: async (path, key) => {
          stored = key
          await database.sql`
            update media_files set source_blob = 'a/b'
            where id = (select file_id from live_recordings where broadcast_id = ${broadcast.broadcastId})`
          return blobs.adopt(path, key)
        },
      },
    },
  )
  send(packager, await cannedStream())
  packager.end()
  await recorder.stop('ended')
  const [row] = await waitFor(
    () => rowsOf(broadcast),
    (rows) => rows[0]?.state === 'failed',
  )
  expect(row).toMatchObject({ message: 'The source of the file was replaced.' })
  const discarded = await database.kysely
    .selectFrom('discarded_media')
    .select('blobs')
    .where('file_id', '=', row!.file_id!)
    .execute()
  expect(discarded).toEqual([{ blobs: [stored] }])
})

test('a recording ends when its publisher left, without the time that the broadcast waited for it', async () => {
  const broadcast = await newBroadcast()
  const { recorder, packager } = await record(broadcast)
  send(packager, await cannedStream())
  const [begun] = await waitFor(
    () => rowsOf(broadcast),
    (rows) => rows.length === 1,
  )
  const leftAt = new Date(begun!.started_at.getTime() + 4_000)
  await server.services.database.kysely
    .updateTable('live_broadcasts')
    .set({ disconnected_at: leftAt })
    .where('id', '=', broadcast.broadcastId)
    .execute()
  packager.end()
  await recorder.stop('ended')
  const [recording] = await rowsOf(broadcast)
  expect(recording?.ended_at).toEqual(leftAt)
})

test('the last seconds become a file during the broadcast, and are listed as a clip', async () => {
  const broadcast = await newBroadcast()
  const { recordings, recorder, packager, channel } = await record(broadcast)
  await expect(recordings.clipLast(channel, { durationSeconds: 3, title: '' })).rejects.toMatchObject({
    code: 'conflict',
  })
  send(packager, await cannedStream())
  // The list is in the order of creation, and the recorder creates its row on its own.
  await waitFor(
    () => rowsOf(broadcast),
    (rows) => rows.length === 1,
  )
  const fileId = await recordings.clipLast(channel, { durationSeconds: 3, title: 'The goal' })
  const file = (await fileWhen(broadcast, fileId, ({ IsPlayable }) => IsPlayable)) as unknown as {
    Properties: { Length: number }
  }
  expect(file).toMatchObject({ Metadata: { Title: 'The goal' }, Source: { Kind: 'clip' } })
  // Two whole segments of two seconds.
  expect(file.Properties.Length).toBeCloseTo(4, 1)
  const clipping = recordings.clipLast(channel, { durationSeconds: 600, title: '' })
  await expect(recordings.clipLast(channel, { durationSeconds: 600, title: '' })).rejects.toMatchObject({
    code: 'conflict',
  })
  const longer = await clipping
  expect(longer).toBeGreaterThan(fileId)
  packager.end()
  await expect(recordings.clipLast(channel, { durationSeconds: 3, title: '' })).rejects.toMatchObject({
    code: 'conflict',
  })
  await recorder.stop('ended')
  const [recording] = await waitFor(
    () => rowsOf(broadcast),
    ([first]) => first?.state === 'finished',
  )
  const { body } = await server.call('GET', `/projects/${broadcast.projectId}/live/recordings`)
  expect(body).toMatchObject({
    TotalCount: 3,
    Recordings: [
      { Kind: 'clip', State: 'finished', FileId: longer },
      { Kind: 'clip', State: 'finished', FileId: fileId, Title: 'The goal', Message: null },
      { Kind: 'recording', State: 'finished', FileId: recording!.file_id },
    ],
  })
  const { StartedAt, EndedAt } = body.Recordings[1]
  expect(Date.parse(EndedAt) - Date.parse(StartedAt)).toBeCloseTo(4_000, -2)
  const sent = (await eventsAfterEnds(broadcast, 3)).filter(({ Event }) => Event.startsWith('recording.'))
  expect(sent.map(({ Event, Live }) => [Event, Live!.Recording.Kind, Live!.Recording.FileId])).toEqual([
    ['recording.started', 'recording', null],
    ['recording.finished', 'clip', fileId],
    ['recording.finished', 'clip', longer],
    ['recording.finished', 'recording', recording!.file_id],
  ])
})

test('a clip that the media storage does not take is a file that gets its bytes later', async () => {
  const broadcast = await newBroadcast()
  const { blobs } = server.services
  let isAway = true
  const { recordings, recorder, packager, channel } = await record(
    broadcast,
    {},
    {
      blobs: {
        ...blobs,
        adopt: async (path, key) => {
          if (isAway && key.includes('/recording')) throw new BlobStoreUnavailableError('The store is away.')
          return blobs.adopt(path, key)
        },
      },
    },
  )
  send(packager, await cannedStream())
  await waitFor(
    () => rowsOf(broadcast),
    (rows) => rows.length === 1,
  )
  const fileId = await recordings.clipLast(channel, { durationSeconds: 3, title: 'The goal' })
  await fileWhen(broadcast, fileId, ({ Status }) => Status === 'created')
  isAway = false
  await fileWhen(broadcast, fileId, ({ IsPlayable }) => IsPlayable)
  packager.end()
  await recorder.stop('ended')
  const clips = (await rowsOf(broadcast)).filter(({ kind }) => kind === 'clip')
  expect(clips).toMatchObject([{ state: 'finished', file_id: fileId }])
})

describe('in the media storage,', () => {
  const owner = async (broadcast: Broadcast, ownerId: string, epoch: number) => {
    const { kysely } = server.services.database
    await insertNode(ownerId)
    await kysely
      .updateTable('live_streams')
      .set({ node_id: ownerId, epoch })
      .where('project_id', '=', broadcast.projectId)
      .execute()
  }
  /** A node with a folder of its own, which owns the stream now. */
  const recordOn = async (broadcast: Broadcast, epoch: number, options: Options = {}) => {
    const id = randomUUID()
    await owner(broadcast, id, epoch)
    const ownFolder = await mkdtemp(join(server.dataFolder, 'elsewhere-'))
    return record(broadcast, { storage: 'media', folder: ownFolder, nodeId: id, epoch, ...options })
  }
  const piecesOf = (broadcast: Broadcast) =>
    server.services.database.kysely
      .selectFrom('live_recording_pieces')
      .innerJoin('live_recordings', 'live_recordings.id', 'recording_id')
      .select(['start_offset', 'size_bytes', 'blob'])
      .where('broadcast_id', '=', broadcast.broadcastId)
      .orderBy('start_offset')
      .execute()
  const untilStored = (broadcast: Broadcast, count: number) =>
    waitFor(
      () => piecesOf(broadcast),
      (pieces) => pieces.length >= count,
    )
  const sourceOf = async (fileId: number) => {
    const { source_blob: blob } = await server.services.database.kysely
      .selectFrom('media_files')
      .select('source_blob')
      .where('id', '=', fileId)
      .executeTakeFirstOrThrow()
    return blob!
  }
  const lengthOf = async (broadcast: Broadcast, fileId: number) => {
    const file = await fileWhen(broadcast, fileId, ({ IsPlayable }) => IsPlayable)
    return (file as unknown as { Properties: { Length: number } }).Properties.Length
  }
  const framesOf = async (fileId: number) =>
    server.services.blobs.withLocalFile(await sourceOf(fileId), countFrames)
  const leftBlobs = () => server.services.blobs.list('live/recordings/')
  /** Makes the garbage of this test due. */
  const removeLeftovers = async () => {
    await server.services.database.sql`update discarded_media set remove_after = now()`
    await removeGarbage({ database: server.workerDatabase, blobs: server.services.blobs })
  }

  test('a recording of two nodes is one file, and nothing is left', async () => {
    const broadcast = await newBroadcast()
    const stream = await cannedStream()
    const first = await recordOn(broadcast, 1)
    send(first.packager, stream, { untilMs: 4_500 })
    const before = await untilStored(broadcast, 1)
    expect(before[0]!.start_offset).toBe(0)

    // Another node takes over while the first one is paused, and knows its timeline from the journal.
    const resume = { ...resumeAfter(Date.now() - 8_000, Date.now(), 2), targets: first.packager.targets! }
    const second = await recordOn(broadcast, 2, { resume })
    expect(second.recorder.state()).toMatchObject({ state: 'recording' })
    send(second.packager, stream, { startMs: 60_000 })
    await untilStored(broadcast, before.length + 1)
    // The first node wakes up.
    send(first.packager, stream, { fromMs: 4_500 })
    await first.recorder.stop('shutdown')
    second.packager.end()
    await second.recorder.stop('ended')

    const [row, ...others] = await rowsWhenEnded(broadcast)
    expect(others).toEqual([])
    expect(row).toMatchObject({ state: 'finished', message: null })
    const recorded = await framesOf(row!.file_id!)
    expect(await lengthOf(broadcast, row!.file_id!)).toBeCloseTo(recorded / 30, 0)
    expect(recorded).toBeGreaterThanOrEqual(30 + stream.video.units.length)
    expect(recorded).toBeLessThanOrEqual(135 + stream.video.units.length)
    const names = (await eventsAfterEnds(broadcast)).map(({ Event }) => Event)
    for (const name of ['recording.started', 'recording.finished', 'file.created'])
      expect(names.filter((one) => one === name)).toHaveLength(1)
    expect(await piecesOf(broadcast)).toEqual([])
    // The recordings of earlier tests may end late.
    await expect.poll(() => removeLeftovers().then(leftBlobs)).toEqual([])
  })

  test('a node that stops in order leaves the recording to the next one', async () => {
    const broadcast = await newBroadcast()
    const stream = await cannedStream()
    const first = await recordOn(broadcast, 1)
    send(first.packager, stream)
    first.packager.discontinue()
    await first.recorder.stop('shutdown')
    await first.recordings.stop()
    expect(await rowsOf(broadcast)).toMatchObject([{ state: 'recording' }])
    const resume = { ...resumeAfter(Date.now() - 8_000, Date.now(), 2), targets: first.packager.targets! }
    const second = await recordOn(broadcast, 2, { resume })
    send(second.packager, stream)
    second.packager.end()
    await second.recorder.stop('ended')
    const rows = await rowsWhenEnded(broadcast)
    expect(rows).toMatchObject([{ state: 'finished' }])
    const fileId = rows[0]!.file_id!
    expect(await framesOf(fileId)).toBe(2 * stream.video.units.length)
    expect(await lengthOf(broadcast, fileId)).toBeCloseTo(12, 0)

    // The purge of the file takes what the garbage list has not removed yet.
    const prefix = piecesPrefix(rows[0]!.file_name)
    const { blobs } = server.services
    expect(await blobs.list(prefix)).not.toEqual([])
    const deletedAt = new Date()
    await server.services.database.kysely
      .updateTable('media_files')
      .set({ deleted_at: deletedAt })
      .where('id', '=', fileId)
      .execute()
    const purge = createPurgeFilesHandler({ database: server.workerDatabase, blobs })
    await purge([{ ...broadcast, fileId, deletedAtMs: deletedAt.getTime() }])
    expect(await blobs.list(prefix)).toEqual([])
  })

  test('a publisher with another configuration begins another file after a takeover', async () => {
    const broadcast = await newBroadcast()
    const first = await recordOn(broadcast, 1)
    send(first.packager, await cannedStream())
    await untilStored(broadcast, 1)
    const second = await recordOn(broadcast, 2)
    send(second.packager, await cannedStream({ size: '160x90' }))
    second.packager.end()
    await second.recorder.stop('ended')
    const rows = await rowsWhenEnded(broadcast)
    expect(rows).toMatchObject([{ state: 'finished' }, { state: 'finished' }])
    expect(rows[1]!.title).toMatch(/ \(part 2\)$/)
  })

  test('any node finishes what a lost node has stored when the broadcast is over', async () => {
    const broadcast = await newBroadcast()
    const { database, blobs } = server.services
    const lostId = randomUUID()
    const first = await recordOn(broadcast, 1, { nodeId: lostId })
    await owner(broadcast, lostId, 1)
    send(first.packager, await cannedStream())
    await untilStored(broadcast, 1)
    await database.sql`delete from live_nodes where id = ${lostId}`
    await database.sql`update live_broadcasts set ended_at = now() where id = ${broadcast.broadcastId}`
    let failures = 0
    const failing: BlobStore = {
      ...blobs,
      // Fails once before the file is in the store, and once after, when no row shows it yet.
      join: async (key, pieces) => {
        failures++
        if (failures === 1) throw new Error('crash')
        const joined = await blobs.join(key, pieces)
        if (failures === 2) throw new Error('crash')
        return joined
      },
    }
    await record(broadcast, { storage: 'media', nodeId: randomUUID() }, { blobs: failing })
    const [row] = await rowsWhenEnded(broadcast)
    expect(row).toMatchObject({ state: 'finished' })
    expect(failures).toBe(3)
    const names = (await eventsAfterEnds(broadcast)).map(({ Event }) => Event)
    for (const name of ['recording.finished', 'file.created'])
      expect(names.filter((one) => one === name)).toHaveLength(1)
  })

  test('a recording that cannot be read fails with its file, and leaves no pieces', async () => {
    const broadcast = await newBroadcast()
    const { blobs } = server.services
    const unreadable: BlobStore = {
      ...blobs,
      join: () => Promise.reject(new IsobmffError('malformed', 'not readable')),
    }
    const { recorder, packager } = await record(broadcast, { storage: 'media' }, { blobs: unreadable })
    send(packager, await cannedStream())
    packager.end()
    await recorder.stop('ended')
    const [row] = await rowsWhenEnded(broadcast)
    expect(row).toMatchObject({ state: 'failed', message: 'What was recorded cannot be read.' })
    const file = await fileWhen(broadcast, row!.file_id!, ({ Status }) => Status === 'failed')
    expect(file).toMatchObject({ ErrorReason: 'live_recording_failed', IsFinished: true })
    await expect.poll(() => blobs.list(piecesPrefix(row!.file_name))).toEqual([])
  })

  describe('when the media storage has lost a piece', () => {
    const loseOne = async (index: number) => {
      const broadcast = await newBroadcast()
      const stream = await cannedStream()
      let resume: PackagerResume | null = null
      const recordNext = async (epoch: number) => {
        const node = await recordOn(broadcast, epoch, resume === null ? {} : { resume })
        send(node.packager, stream)
        resume = { ...resumeAfter(Date.now() - 8_000, Date.now(), 2), targets: node.packager.targets! }
        return node
      }
      for (const epoch of [1, 2]) {
        const node = await recordNext(epoch)
        node.packager.discontinue()
        await node.recorder.stop('shutdown')
        await node.recordings.stop()
      }
      const last = await recordNext(3)
      const pieces = await piecesOf(broadcast)
      await server.services.blobs.delete(pieces[index]!.blob)
      last.packager.end()
      await last.recorder.stop('ended')
      expect(await rowsOf(broadcast)).toMatchObject([{ state: 'finishing' }])
      await server.services.database
        .sql`update live_recordings set ended_at = now() - interval '25 hours' where broadcast_id = ${broadcast.broadcastId}`
      const [row] = await rowsWhenEnded(broadcast)
      return { broadcast, row: row!, sentFrames: 3 * stream.video.units.length }
    }

    test('saves the others after a day, in their places', async () => {
      const { broadcast, row, sentFrames } = await loseOne(1)
      expect(row).toMatchObject({
        state: 'finished',
        message: 'Parts of the recording are missing in the media storage.',
      })
      const frames = await framesOf(row.file_id!)
      expect(frames).toBeLessThan(sentFrames)
      expect(frames).toBeGreaterThan(sentFrames / 2)
      expect(await lengthOf(broadcast, row.file_id!)).toBeCloseTo(18, 0)
    })

    test('fails after a day without the first piece', async () => {
      const { row } = await loseOne(0)
      expect(row).toMatchObject({
        state: 'failed',
        message: 'The start of the recording is missing in the media storage.',
      })
    })
  })

  test('the next owner continues the newest of several recordings that were left', async () => {
    const broadcast = await newBroadcast()
    await owner(broadcast, randomUUID(), 1)
    for (const ageMs of [60_000, 1_000, 30_000]) {
      const recording = { ...broadcast, startedAt: new Date(Date.now() - ageMs) }
      const left = { nodeId: randomUUID(), fileName: newRecordingName(recording) }
      const { services } = server
      await beginRecording(
        { ...services, publicUrl: services.config.publicUrl },
        { ...recording, ...left, stored: { epoch: 1, tracks: [] } },
      )
    }
    const { recorder } = await recordOn(broadcast, 2)
    await recorder.stop('shutdown')
    expect((await rowsOf(broadcast)).map(({ epoch }) => epoch)).toEqual([1, 2, 1])
  })

  test('small pieces become large ones, and a store that fails for a while delays nothing else', async () => {
    const broadcast = await newBroadcast()
    const { blobs } = server.services
    let failures = 0
    const failing: BlobStore = {
      ...blobs,
      put: (key, ...rest) =>
        key.startsWith('live/recordings/') && failures++ === 0
          ? Promise.reject(new BlobStoreUnavailableError('gone'))
          : blobs.put(key, ...rest),
    }
    const id = randomUUID()
    await owner(broadcast, id, 1)
    const { recorder, packager } = await record(
      broadcast,
      { storage: 'media', nodeId: id, epoch: 1 },
      { blobs: failing },
    )
    const stream = await noisyStream()
    for (let turn = 0; turn < 3; turn++) {
      send(packager, stream, { startMs: turn * 4_000 })
      await waitFor(
        () => piecesOf(broadcast),
        (pieces) => pieces.length > 0,
      )
    }
    packager.end()
    await waitFor(
      () => piecesOf(broadcast),
      (pieces) => pieces.some(({ size_bytes }) => size_bytes >= 8 * 2 ** 20),
    )
    await recorder.stop('ended')
    const [row] = await rowsWhenEnded(broadcast)
    expect(row).toMatchObject({ state: 'finished' })
    expect(await framesOf(row!.file_id!)).toBe(3 * stream.video.units.length)
  })
})

test('leaves a recording alone that a paused process on the same folder still writes', async () => {
  const broadcast = await newBroadcast()
  const writer = await record(broadcast, { nodeId: randomUUID() })
  send(writer.packager, await cannedStream())
  await waitFor(
    () => rowsOf(broadcast),
    (rows) => rows.length === 1,
  )
  let isRunning = true
  let checks = 0
  await record(broadcast, {
    nodeId: randomUUID(),
    isRunningHere: async () => {
      checks++
      return isRunning
    },
  })
  await waitFor(
    async () => checks,
    (count) => count > 1,
  )
  expect(await rowsOf(broadcast)).toMatchObject([{ state: 'recording' }])
  isRunning = false
  await rowsWhenEnded(broadcast)
  await writer.recorder.stop('ended')
})
