import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../test/support/test-server.ts'
import { waitFor } from '../../../test/support/wait-for.ts'
import { encodeLadderJob, processFileJob } from '../files/queue/file-jobs.ts'
import { expectProblem } from '../../platform/http/test-support/expect-problem.ts'
import { runForAccount } from '../../platform/db/account-scope.ts'
import { encodingRecord } from './encoding-record.ts'
import { recordUsage } from './usage-days.ts'

let server: TestServer
let projectId: number
let otherId: number

const newProject = async (Name: string): Promise<number> =>
  (await server.call('POST', '/projects', { body: { Name } })).body.Id

/** Inserts a file in the state that a worker would leave, because these tests do not cover processing. */
const newFile = async (
  project: number,
  row: {
    readonly state: string
    readonly priority?: number
    readonly length?: number
    readonly storage?: number
    readonly source?: number
  },
): Promise<number> => {
  const { body } = await server.call('POST', `/projects/${project}/files`, {
    body: { FileName: 'a.mp4', EncodingPriority: row.priority ?? 50 },
  })
  const { database } = server.services
  await database.sql`
    update media_files set state = ${row.state}, uploaded_at = now(), storage_bytes = ${row.storage ?? 0},
      source_size_bytes = ${row.source ?? 0}, properties = jsonb_build_object('Length', ${row.length ?? 0}::float8)
    where id = ${body.Id as number}`
  return body.Id
}

beforeAll(async () => {
  server = await startTestServer({ hasMadeUpRecords: true })
  projectId = await newProject('Large')
  otherId = await newProject('Small')
  const fileId = await newFile(projectId, { state: 'finished', length: 90.1, storage: 1_000, source: 600 })
  await newFile(projectId, { state: 'failed', length: 30, storage: 200, source: 200 })
  await newFile(otherId, { state: 'degraded', length: 10.1, storage: 50, source: 50 })
  await server.services.database.sql`
    insert into file_pictures (account_id, file_id, width_pixels, height_pixels, is_standard, picture_blob, thumb_blob, size_bytes)
    select account_id, id, 16, 9, true, 'none', 'none', 70 from media_files where id = ${fileId}`
  await server.services.database.sql`
    update projects set storage_bytes = (select sum(storage_bytes) from media_files where project_id = projects.id)`
})

afterAll(() => server.stop())

test('usage is reported by kind, and the kinds add up to the total', async () => {
  const { body } = await server.call('GET', '/usage')
  expect(body).toMatchObject({
    FileCount: 3,
    PlayableSeconds: 100.2,
    StorageBytes: 1_250,
    SourceBytes: 850,
    RenditionBytes: 330,
    PictureBytes: 70,
    CaptionBytes: 0,
    LiveBytes: 0,
    EvictableBytes: 0,
    PinnedBytes: 1_250,
  })
})

test('projects are listed with their usage, largest first, and paged by cursor', async () => {
  const first = await server.call('GET', '/usage/projects?limit=1')
  expect(first.body).toMatchObject({ TotalCount: 2, Projects: [{ Name: 'Large', StorageBytes: 1_200 }] })
  const second = await server.call('GET', `/usage/projects?cursor=${first.body.NextCursor}`)
  expect(second.body.Projects).toMatchObject([{ Name: 'Small', FileCount: 1, SourceBytes: 50 }])
})

test('days are recorded for charts, a later record replaces an earlier one, and the last day is today', async () => {
  const { database } = server.services
  await recordUsage(database)
  await recordUsage(database)
  await database.sql`
    insert into usage_days (account_id, day, project_id, file_count, playable_seconds, storage_bytes, source_bytes, picture_bytes, caption_bytes)
    select account_id, (now() at time zone 'utc')::date - age, project_id, 1, 5, 40, 30, 10, 0
    from usage_days cross join unnest(array[2, 50, 400]) as age`
  await recordUsage(database)
  const { body } = await server.call('GET', '/usage?days=30')
  expect(body.Days).toMatchObject([
    { StorageBytes: 80, RenditionBytes: 0, PictureBytes: 20 },
    { StorageBytes: 1_250, Day: new Date().toISOString().slice(0, 10) },
  ])
  const one = await server.call('GET', `/usage?days=400&projectId=${otherId}`)
  expect(one.body.Days.map(({ StorageBytes }: { StorageBytes: number }) => StorageBytes)).toEqual([
    40, 40, 50,
  ])
  // The oldest day has been deleted.
  const [left] = await database.sql<{ count: number }[]>`select count(*)::int as count from usage_days`
  expect(left?.count).toBe(6)
})

test.each(['0', '401', '1e2', '9'.repeat(30), '-1', '%00'])('days=%s is refused', async (days) => {
  expectProblem(await server.call('GET', `/usage?days=${days}`), 'invalid')
})

test('a key restricted to projects sees only their usage', async () => {
  const apiKey = await server.newKey({ projectIds: [otherId] })
  const usage = await server.call('GET', '/usage?days=400', { apiKey })
  expect(usage.body).toMatchObject({ FileCount: 1, StorageBytes: 50 })
  expect(usage.body.Days[0].StorageBytes).toBe(40)
  const asked = await server.call('GET', `/usage?projectId=${projectId}`, { apiKey })
  expect(asked.body).toMatchObject({ FileCount: 0, Days: [{ StorageBytes: 0 }] })
  const projects = await server.call('GET', '/usage/projects', { apiKey })
  expect(projects.body).toMatchObject({ TotalCount: 1, Projects: [{ ProjectId: otherId }] })
  const stranger = await server.newKey({ inNewAccount: true })
  const foreign = await server.call('GET', `/usage?projectId=${projectId}&days=400`, { apiKey: stranger })
  expect(foreign.body).toMatchObject({ FileCount: 0, Days: [{ FileCount: 0 }] })
})

test('the queue lists files in processing by priority, then age, with the progress of their jobs', async () => {
  const queued = await newProject('Queued')
  const later = await newFile(queued, { state: 'uploaded', priority: 10 })
  const first = await newFile(queued, { state: 'playable', priority: 90 })
  const older = await newFile(queued, { state: 'encoding' })
  const younger = await newFile(queued, { state: 'encoding' })
  await newFile(queued, { state: 'finished' })
  const { database, jobs } = server.services
  const job = (fileId: number) => ({ accountId: 1, projectId: queued, fileId })
  const [{ account_id: accountId } = { account_id: 0 }] = await database.sql<{ account_id: number }[]>`
    select account_id from projects where id = ${queued}`
  await jobs.enqueue(database.kysely, processFileJob, { ...job(later), accountId }, { key: `${later}` })
  await jobs.enqueue(database.kysely, encodeLadderJob, { ...job(first), accountId }, { key: `${first}` })
  await database.sql`update pgboss.job set state = 'active' where data ->> 'fileId' = ${String(first)}`
  const { body } = await server.call('GET', `/encodings?projectId=${queued}`)
  expect(body).toMatchObject({
    TotalCount: 4,
    Encodings: [
      {
        ...{ FileId: first, State: 'running', Step: 'encoding', IsPlayable: true, ProjectName: 'Queued' },
        Place: null,
      },
      { FileId: older, State: 'waiting', Step: 'encoding', Place: 1 },
      { FileId: younger, State: 'waiting', Place: 2 },
      { FileId: later, State: 'waiting', Step: 'preparing', EncodingPriority: 10, Place: 3 },
    ],
  })
  const page = await server.call('GET', `/encodings?projectId=${queued}&limit=2`)
  const next = await server.call('GET', `/encodings?projectId=${queued}&cursor=${page.body.NextCursor}`)
  expect(next.body.Encodings).toMatchObject([
    { FileId: younger, Place: 2 },
    { FileId: later, Place: 3 },
  ])
  const apiKey = await server.newKey({ projectIds: [otherId] })
  expect((await server.call('GET', '/encodings', { apiKey })).body).toMatchObject({ TotalCount: 0 })
  const stranger = await server.newKey({ inNewAccount: true })
  const foreign = await server.call('GET', `/encodings?projectId=${queued}`, { apiKey: stranger })
  expect(foreign.body).toMatchObject({ Encodings: [], TotalCount: 0 })
})

test('a fully uploaded file waits in the queue before a worker takes it, and an unfinished upload does not', async () => {
  const queued = await newProject('Arrived')
  const arrived = await newFile(queued, { state: 'created' })
  await newFile(queued, { state: 'created' })
  await server.services.database.sql`update media_files set source_blob = 'none' where id = ${arrived}`
  const { body } = await server.call('GET', `/encodings?projectId=${queued}`)
  expect(body).toMatchObject({
    TotalCount: 1,
    Encodings: [{ FileId: arrived, State: 'waiting', Step: 'preparing', EstimatedReadyAt: null }],
  })
})

test('usage counts of categories and other entries cover the projects that the key sees', async () => {
  const category = (await server.call('POST', '/modules/categories', { body: { Label: 'Nature' } })).body.Id
  const share = (await server.call('POST', '/modules/shares', { body: { Label: 'Partners' } })).body.Id
  for (const [project, Metadata] of [
    [projectId, { Category: [category], Share: [share] }],
    [otherId, { Category: [category] }],
  ] as const)
    await server.call('POST', `/projects/${project}/files`, { body: { FileName: 'a.mp4', Metadata } })
  const { body } = await server.call('GET', `/usage/catalog?ids=${category},${share}`)
  expect(body.Entries).toMatchObject([
    { Id: share, Kind: 'share', FileCount: 1 },
    { Id: category, Label: 'Nature', FileCount: 2 },
  ])
  const apiKey = await server.newKey({ projectIds: [otherId] })
  const seen = await server.call('GET', `/usage/catalog?ids=${category}`, { apiKey })
  expect(seen.body.Entries).toMatchObject([{ Id: category, FileCount: 1 }])
  const stranger = await server.newKey({ inNewAccount: true })
  expect((await server.call('GET', '/usage/catalog', { apiKey: stranger })).body.TotalCount).toBe(0)
})

test('a changed priority reorders waiting jobs at once, each within its class', async () => {
  const queued = await newProject('Moved')
  const { database, jobs } = server.services
  const [{ account_id: accountId } = { account_id: 0 }] = await database.sql<{ account_id: number }[]>`
    select account_id from projects where id = ${queued}`
  const wait = async (priority: number): Promise<number> => {
    const fileId = await newFile(queued, { state: 'uploaded', priority })
    const data = { accountId, projectId: queued, fileId }
    await jobs.enqueue(database.kysely, processFileJob, data, { priority, key: `${fileId}.1` })
    await jobs.enqueue(database.kysely, encodeLadderJob, data, {
      priority: 2_000 + priority,
      key: `${fileId}`,
    })
    return fileId
  }
  const before = await wait(60)
  const moved = await wait(50)
  await server.call('PUT', `/projects/${queued}/files/${moved}`, { body: { EncodingPriority: 90 } })
  const taken: number[] = []
  const both = Promise.withResolvers<void>()
  const worker = await server.servicesOf('worker')
  await worker.jobs.work(processFileJob, { concurrency: 1 }, async ({ fileId }) => {
    taken.push(fileId)
    if (taken.includes(before) && taken.includes(moved)) both.resolve()
  })
  await both.promise
  expect(taken.indexOf(moved)).toBeLessThan(taken.indexOf(before))
  // Row-level security prevents changes to the jobs of another account.
  const of = { accountId, fileId: moved, priority: 1, classSize: 1_000 }
  await runForAccount(accountId + 1_000, () => jobs.changePriority(database.kysely, [encodeLadderJob], of))
  const ladders = await database.sql<{ priority: number }[]>`
    select priority from pgboss.job where name = ${encodeLadderJob.name} and data ->> 'fileId' = ${String(moved)}`
  expect(ladders).toEqual([{ priority: 2_090 }])
})

const row = {
  id: 1,
  project_id: 1,
  project_name: 'a',
  title: 'a',
  state: 'uploaded',
  is_playable: false,
  encoding_progress: 0,
  encoding_priority: 50,
  waiting_since: new Date(0),
  estimated_ready_at: null,
}

test.each([
  ['nothing queued, bytes just here', 'uploaded', [], 'waiting', 'preparing'],
  ['nothing queued for a moment', 'playable', [], 'waiting', 'encoding'],
  ['first step queued', 'uploaded', [[false, false]], 'waiting', 'preparing'],
  ['first step under way', 'encoding', [[true, false]], 'running', 'preparing'],
  [
    'one chunk of two under way',
    'playable',
    [
      [false, true],
      [true, true],
    ],
    'running',
    'encoding',
  ],
  [
    'ladder queued while the first step ends',
    'encoding',
    [
      [true, false],
      [false, true],
    ],
    'running',
    'preparing',
  ],
] as const)('%s', (_name, state, work, State, Step) => {
  const queued = work.map(([isRunning, isLadder]) => ({ isRunning, isLadder }))
  expect(encodingRecord({ ...row, state }, queued, null)).toMatchObject({ State, Step })
})

test('stored live media counts apart from files, until it is deleted', async () => {
  const project = await newProject('Live')
  await server.call('GET', `/projects/${project}/live/ingest`)
  const { database } = server.services
  await database.sql`
    with broadcast as (
      insert into live_broadcasts (account_id, project_id, online_at, has_stored_window, stored_window_bytes)
      select account_id, project_id, now(), true, 700 from live_streams where project_id = ${project}
      returning *
    ), recording as (
      insert into live_recordings (account_id, project_id, broadcast_id, node_id, file_name, title, is_stored)
      select account_id, project_id, id, gen_random_uuid(), 'a recording', '', true from broadcast
      returning *
    )
    insert into live_recording_pieces (account_id, recording_id, start_offset, size_bytes, skeleton_bytes, blob, state)
    select account_id, id, 0, 300, 1, 'a piece', '{}' from recording`
  const usage = async () => (await server.call('GET', `/usage?projectId=${project}`)).body
  await waitFor(usage, ({ LiveBytes }) => LiveBytes === 1_000)
  expect(await usage()).toMatchObject({ FileCount: 0, StorageBytes: 0, RenditionBytes: 0 })
  await database.sql`update live_broadcasts set has_stored_window = false where project_id = ${project}`
  await waitFor(usage, ({ LiveBytes }) => LiveBytes === 300)
})

test('files that were uploaded just now count in the order of the projects', async () => {
  const apiKey = await server.newKey({ inNewAccount: true })
  const made = async (Name: string): Promise<number> =>
    (await server.call('POST', '/projects', { body: { Name }, apiKey })).body.Id
  const full = await made('Full')
  await made('Empty')
  const upload = await server.call('POST', `/projects/${full}/files?fileName=a.mp4`, {
    body: Buffer.alloc(1_000),
    headers: { 'Content-Type': 'video/mp4' },
    apiKey,
  })
  expect(upload.status).toBe(201)
  const { body } = await server.call('GET', '/usage/projects', { apiKey })
  expect(body.Projects).toMatchObject([
    { Name: 'Full', StorageBytes: 1_000 },
    { Name: 'Empty', StorageBytes: 0 },
  ])
  const next = await server.call('GET', '/usage/projects?limit=1', { apiKey })
  const rest = await server.call('GET', `/usage/projects?cursor=${next.body.NextCursor}`, { apiKey })
  expect(rest.body.Projects).toMatchObject([{ Name: 'Empty' }])
})
