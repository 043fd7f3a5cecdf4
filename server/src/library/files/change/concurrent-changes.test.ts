import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHands } from '../../../../test/support/hands.ts'
import { request, startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { expectProblem } from '../../../platform/http/test-support/expect-problem.ts'
import { shareProject } from '../../projects/project-locks.ts'
import { insertMediaFile } from '../record/media-file-store.ts'

let server: TestServer
let hands: ReturnType<typeof createHands>

beforeAll(async () => {
  server = await startTestServer()
  hands = createHands(server)
})

afterAll(() => server.stop())

const newProject = async (fields: object = {}): Promise<number> =>
  (await server.call('POST', '/projects', { body: { Name: 'Busy', ...fields } })).body.Id
const create = (projectId: number, fields: object = {}) =>
  server.call('POST', `/projects/${projectId}/files`, { body: { FileName: 'a.mp4', ...fields } })
const countsOf = async (projectId: number) => {
  const { FileCount, StorageBytes } = (await server.call('GET', `/projects/${projectId}`)).body
  const { TotalCount } = (await server.call('GET', `/projects/${projectId}/files?limit=1`)).body
  return { FileCount, StorageBytes, TotalCount }
}

/** Begins a transaction that has done `work` and commits when `commit` is called. */
const hold = async (work: (tx: Tx) => Promise<unknown>) => {
  const done = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const ended = server.services.database.transaction(async (tx) => {
    await work(tx)
    done.resolve()
    await release.promise
  })
  await Promise.race([done.promise, ended])
  return async () => {
    release.resolve()
    await ended
  }
}

const holdCreation = (projectId: number) =>
  hold(async (tx) =>
    insertMediaFile(tx, server.url, await shareProject(tx, 1, projectId), {
      principal: null,
      originalFileName: 'held.mp4',
      externalId: null,
      metadata: {},
      useEncoding: undefined,
      encodingPriority: undefined,
      checksum: null,
      sourceUri: null,
    }),
  )

const waitForLocks = (count: number) =>
  waitFor(
    () =>
      server.services.database.sql<{ waiting: number }[]>`
        select count(*)::int as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
    ([row]) => row?.waiting === count,
  )

test('creates, fills and deletes files while another creation in the project has not committed', async () => {
  const projectId = await newProject()
  const commit = await holdCreation(projectId)
  const created = await create(projectId)
  expect(created.status).toBe(201)
  const put = await request(created.body.Upload.URI, 'PUT', { body: Buffer.from('0123456789') })
  expect(put.status).toBe(200)
  expect(await countsOf(projectId)).toEqual({ FileCount: 1, StorageBytes: 10, TotalCount: 1 })
  const gone = await create(projectId)
  expect((await server.call('DELETE', `/projects/${projectId}/files/${gone.body.Id}`)).status).toBe(200)
  await commit()
  expect(await countsOf(projectId)).toEqual({ FileCount: 2, StorageBytes: 10, TotalCount: 2 })
})

test('keeps all counts exact through concurrent changes and housekeeping', async () => {
  const projectId = await newProject()
  const created = await Promise.all(Array.from({ length: 24 }, () => create(projectId)))
  expect(new Set(created.map(({ status }) => status))).toEqual(new Set([201]))
  const deleted = await Promise.all(
    created.slice(0, 9).map(({ body }) => server.call('DELETE', `/projects/${projectId}/files/${body.Id}`)),
  )
  expect(new Set(deleted.map(({ status }) => status))).toEqual(new Set([200]))
  const { sql } = server.services.database
  const parts = () => sql`
    select project_id from project_counts where project_id = ${projectId}
    union all select project_id from file_block_counts where project_id = ${projectId}`
  const stored = () => sql`
    select file_count::int, (select sum(file_count)::int from file_blocks where project_id = id) as in_blocks
    from projects where id = ${projectId}`
  expect(await countsOf(projectId)).toEqual({ FileCount: 15, StorageBytes: 0, TotalCount: 15 })
  expect((await parts()).length).toBeGreaterThan(0)
  const commit = await holdCreation(projectId)
  // Does not wait for it.
  await hands.housekeeping()
  await commit()
  expect(await countsOf(projectId)).toEqual({ FileCount: 16, StorageBytes: 0, TotalCount: 16 })
  await hands.housekeeping()
  expect(await parts()).toEqual([])
  expect(await stored()).toEqual([{ file_count: 16, in_blocks: 16 }])
  expect(await countsOf(projectId)).toEqual({ FileCount: 16, StorageBytes: 0, TotalCount: 16 })
})

test('accepts of concurrent uploads exactly those that fit into the quota', async () => {
  const projectId = await newProject({ StorageQuotaBytes: 500 })
  const answers = await Promise.all(
    Array.from({ length: 9 }, (_, index) =>
      server.call('POST', `/projects/${projectId}/files?fileName=${index}.mp4`, {
        headers: { 'Content-Type': 'video/mp4' },
        body: Buffer.alloc(100),
      }),
    ),
  )
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([
    ...Array<number>(5).fill(201),
    ...Array<number>(4).fill(413),
  ])
  expect(await countsOf(projectId)).toMatchObject({ FileCount: 5, StorageBytes: 500 })
})

test('a new quota counts the bytes of creations that have not committed', async () => {
  const projectId = await newProject()
  const { body } = await create(projectId)
  const commit = await holdCreation(projectId)
  await request(body.Upload.URI, 'PUT', { body: Buffer.alloc(100) })
  const limited = server.call('PUT', `/projects/${projectId}`, { body: { StorageQuotaBytes: 150 } })
  await waitForLocks(1)
  // These wait for the quota, and then for each other.
  const others = Array.from({ length: 3 }, () => create(projectId, { FileSize: 60 }))
  await waitForLocks(4)
  await commit()
  expect((await limited).body).toMatchObject({ StorageQuotaBytes: 150, StorageBytes: 100, FileCount: 2 })
  for (const other of others) expectProblem(await other, 'quota_exceeded')
  expect((await create(projectId, { FileSize: 50 })).status).toBe(201)
  const { sql } = server.services.database
  expect(await sql`select file_count::int, storage_bytes::int from projects where id = ${projectId}`).toEqual(
    [{ file_count: 3, storage_bytes: 100 }],
  )
})

test('a deletion of the project waits for running creations, and later creations wait for it', async () => {
  const projectId = await newProject()
  const commit = await holdCreation(projectId)
  const deleted = server.call('DELETE', `/projects/${projectId}`)
  await waitForLocks(1)
  const late = create(projectId)
  await waitForLocks(2)
  await commit()
  const refused = await deleted
  expectProblem(refused, 'conflict')
  expect(refused.body.error.message).toContain('1 file')
  expect((await late).status).toBe(201)
})

test('does not replace a file that a concurrent request has moved to another project', async () => {
  const [projectId, targetId] = [await newProject(), await newProject()]
  const { body: file } = await create(projectId)
  const commit = await hold((tx) =>
    tx.updateTable('media_files').set({ project_id: targetId }).where('id', '=', file.Id).execute(),
  )
  const replaced = server.call('PUT', `/projects/${projectId}/files/${file.Id}/replace`, {
    body: { FileName: 'b.mp4' },
  })
  await waitForLocks(1)
  await commit()
  expectProblem(await replaced, 'not_found')
})

test('respects the lock of a process of the former release, which locks only the row', async () => {
  const projectId = await newProject()
  const commit = await hold((tx) =>
    tx.selectFrom('projects').selectAll().where('id', '=', projectId).forNoKeyUpdate().execute(),
  )
  const created = create(projectId)
  await waitForLocks(1)
  await commit()
  expect((await created).status).toBe(201)

  const commitNew = await holdCreation(projectId)
  const former = hold((tx) =>
    tx.selectFrom('projects').selectAll().where('id', '=', projectId).forNoKeyUpdate().execute(),
  )
  await waitForLocks(1)
  await commitNew()
  await (
    await former
  )()
})
