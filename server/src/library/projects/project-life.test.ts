import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createHands } from '../../../test/support/hands.ts'
import { request, startTestServer, type TestServer } from '../../../test/support/test-server.ts'
import { createProjectFilesHandler } from '../files/jobs/project-files-handler.ts'
import { purgePlaylists } from '../playlists/purge-playlists.ts'
import { expectProblem } from '../../platform/http/test-support/expect-problem.ts'
import type { ProjectFilesJob } from './project-jobs.ts'

let server: TestServer
let hands: ReturnType<typeof createHands>

beforeAll(async () => {
  server = await startTestServer()
  hands = createHands(server)
})

afterAll(() => server.stop())

const get = (id: number) => server.call('GET', `/projects/${id}`)
const remove = (id: number) => server.call('DELETE', `/projects/${id}?cascade=true`)
const restore = (id: number, apiKey?: string) =>
  server.call('POST', `/projects/${id}/restore`, apiKey === undefined ? {} : { apiKey })
const getFile = (id: number, fileId: number) => server.call('GET', `/projects/${id}/files/${fileId}`)
const countFiles = async (id: number): Promise<number> =>
  (await server.call('GET', `/projects/${id}/files?limit=1`)).body.TotalCount

const addFiles = async (id: number, count: number) => {
  const made = await Promise.all(
    Array.from({ length: count }, () =>
      server.call('POST', `/projects/${id}/files`, { body: { FileName: 'a.mp4' } }),
    ),
  )
  return made.map(({ body }) => ({ fileId: body.Id as number, uploadUri: body.Upload.URI as string }))
}

const stateOf = async (id: number) => {
  const files = await server.services.database.kysely
    .selectFrom('media_files')
    .select(['deleted_at', 'is_deleted_with_project'])
    .where('project_id', '=', id)
    .execute()
  return {
    live: files.filter(({ deleted_at }) => deleted_at === null).length,
    deleted: files.filter(({ deleted_at }) => deleted_at !== null).length,
  }
}

const eventCounts = async (id: number): Promise<Record<string, number>> => {
  const events = await server.services.database.kysely
    .selectFrom('events')
    .select('name')
    .where('project_id', '=', id)
    .execute()
  return events.reduce<Record<string, number>>(
    (counts, { name }) => ({ ...counts, [name]: (counts[name] ?? 0) + 1 }),
    {},
  )
}

test('the files of a deleted project are unavailable at once, before the job has deleted them', async () => {
  const id = await hands.newProject()
  const [file] = await addFiles(id, 1)
  const { fileId = 0, uploadUri = '' } = file ?? {}
  expect((await remove(id)).status).toBe(200)
  expect(await stateOf(id)).toEqual({ live: 1, deleted: 0 })
  expectProblem(await getFile(id, fileId), 'not_found')
  for (const [method, rest, body] of [
    ['PUT', '', {}],
    ['PUT', '/metadata', {}],
    ['DELETE', '', undefined],
    ['GET', '/playouts', undefined],
    ['POST', '/retry', undefined],
    ['PUT', '/replace', { FileName: 'a.mp4' }],
  ] as const)
    expectProblem(
      await server.call(method, `/projects/${id}/files/${fileId}${rest}`, body === undefined ? {} : { body }),
      'not_found',
    )
  expectProblem(await server.call('GET', `/projects/${id}/files`), 'not_found')
  expectProblem(
    await server.call('POST', `/projects/${id}/files`, { body: { FileName: 'a.mp4' } }),
    'not_found',
  )
  expect((await request(uploadUri, 'PUT', { body: Buffer.from('bytes') })).status).toBe(404)
  await hands.projectFiles(id)
  expect(await stateOf(id)).toEqual({ live: 0, deleted: 1 })
  expect(await hands.eventsOf(fileId)).toEqual(['file.created', 'file.deleted'])
})

test('project.restored is sent once, after the last file is restored, even when the job runs again', async () => {
  const id = await hands.newProject()
  await addFiles(id, 3)
  await remove(id)
  await hands.projectFiles(id)
  await restore(id)
  await hands.projectFiles(id)
  await hands.projectFiles(id)
  const events = await server.services.database.kysely
    .selectFrom('events')
    .select(['name', 'record'])
    .where('project_id', '=', id)
    .orderBy('id')
    .execute()
  expect(events.slice(-4).map(({ name }) => name)).toEqual([
    ...['file.restored', 'file.restored', 'file.restored'],
    'project.restored',
  ])
  expect(JSON.parse(events.at(-1)?.record ?? '')).toMatchObject({ IsRestoring: false, FileCount: 3 })
  expect((await get(id)).body.IsRestoring).toBe(false)
})

test('deleting a project during its restoration sends no project.restored', async () => {
  const id = await hands.newProject()
  await addFiles(id, 2)
  await remove(id)
  await hands.projectFiles(id)
  await restore(id)
  await remove(id)
  await hands.projectFiles(id)
  expect(await eventCounts(id)).not.toHaveProperty('project.restored')
  await restore(id)
  await hands.projectFiles(id)
  expect(await eventCounts(id)).toMatchObject({ 'project.restored': 1 })
})

test('a file that waits for the restoration of its project is not purged', async () => {
  const id = await hands.newProject()
  const [file] = await addFiles(id, 1)
  const { fileId = 0 } = file ?? {}
  await remove(id)
  await hands.projectFiles(id)
  expect((await restore(id)).status).toBe(200)
  await hands.purge({ projectId: id, fileId })
  await hands.projectFiles(id)
  expect((await getFile(id, fileId)).body).toMatchObject({ Id: fileId, DeletedAt: null, PurgeAt: null })
})

test('a project that is deleted again during its restoration keeps all its files until it is purged', async () => {
  const id = await hands.newProject()
  const [file] = await addFiles(id, 1)
  const { fileId = 0 } = file ?? {}
  await remove(id)
  await hands.projectFiles(id)
  await restore(id)
  // None of its files is restored yet.
  expect(await countFiles(id)).toBe(0)
  expectProblem(await server.call('DELETE', `/projects/${id}`), 'conflict')
  expect((await remove(id)).status).toBe(200)
  await hands.projectFiles(id)
  await hands.purge({ projectId: id, fileId })
  expect(await stateOf(id)).toEqual({ live: 0, deleted: 1 })
  await restore(id)
  await hands.projectFiles(id)
  expect((await getFile(id, fileId)).status).toBe(200)
  await remove(id)
  await hands.projectFiles(id)
  await restore(id)
  await remove(id)
  await server.services.database.sql`update projects set purge_at = now() where id = ${id}`
  await hands.purge({ projectId: id, fileId })
  expect(await stateOf(id)).toEqual({ live: 0, deleted: 0 })
})

test('playlists of a deleted project send playlist.deleted, those of a restored one playlist.restored, once each', async () => {
  const id = await hands.newProject()
  const path = '/modules/playlists'
  const create = async (): Promise<number> =>
    (await server.call('POST', path, { body: { Name: 'Kept', ProjectId: id } })).body.Id
  const [kept, gone] = [await create(), await create()]
  await server.call('DELETE', `${path}/${gone}`)
  const { body: deleted } = await server.call('DELETE', `/projects/${id}`)
  expect(deleted.PurgeAt).toEqual(expect.any(String))
  expectProblem(await server.call('GET', `${path}/${kept}`), 'not_found')
  await hands.projectFiles(id)
  await hands.projectFiles(id)
  expect(await eventCounts(id)).toMatchObject({ 'playlist.new': 2, 'playlist.deleted': 2 })
  const events = await server.services.database.kysely
    .selectFrom('events')
    .select('record')
    .where('project_id', '=', id)
    .where('name', '=', 'playlist.deleted')
    .orderBy('id', 'desc')
    .execute()
  expect(JSON.parse(events[0]?.record ?? '')).toMatchObject({
    Id: kept,
    IsEnabled: false,
    DeletedAt: deleted.DeletedAt,
    PurgeAt: deleted.PurgeAt,
  })
  await restore(id)
  await hands.projectFiles(id)
  await hands.projectFiles(id)
  expect(await eventCounts(id)).toMatchObject({ 'playlist.restored': 1, 'project.restored': 1 })
  const { body: restored } = await server.call('GET', `${path}/${kept}`)
  expect(restored).toMatchObject({ Id: kept, IsEnabled: true, DeletedAt: null, PurgeAt: null })
  expectProblem(await server.call('GET', `${path}/${gone}`), 'not_found')
})

test('playlists of a purged project are deleted with it', async () => {
  const id = await hands.newProject()
  const { body } = await server.call('POST', '/modules/playlists', { body: { Name: 'Gone', ProjectId: id } })
  await server.call('DELETE', `/projects/${id}`)
  await hands.projectFiles(id)
  const { kysely } = server.services.database
  await kysely.updateTable('projects').set({ purged_at: new Date() }).where('id', '=', id).execute()
  await purgePlaylists(server.workerDatabase, 7)
  expect(await kysely.selectFrom('playlists').select('id').where('id', '=', body.Id).execute()).toEqual([])
})

test('a project is restored with the files deleted with it, not with those deleted earlier', async () => {
  const id = await hands.newProject({ Name: 'Back' })
  const files = await addFiles(id, 3)
  const [gone, kept] = files.map(({ fileId }) => fileId) as [number, number]
  await server.call('DELETE', `/projects/${id}/files/${gone}`)
  const before = (await get(id)).body
  await remove(id)
  await hands.projectFiles(id)
  expectProblem(await get(id), 'not_found')
  const answer = await restore(id)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('etag')).toMatch(/^"/)
  expect(answer.body).toMatchObject({ Id: id, Name: 'Back', IsEnabled: true, IsRestoring: true })
  expect(await eventCounts(id)).not.toHaveProperty('project.restored')
  await hands.projectFiles(id)
  const { body: after } = await get(id)
  expect(after).toEqual({ ...before, LastUpdateAt: after.LastUpdateAt })
  expect((await getFile(id, kept)).status).toBe(200)
  expectProblem(await getFile(id, gone), 'not_found')
  expect(await countFiles(id)).toBe(2)
  expect(await eventCounts(id)).toEqual({
    'project.new': 1,
    'file.created': 3,
    'file.deleted': 3,
    'project.deleted': 1,
    'project.updated': 1,
    'project.restored': 1,
    'file.restored': 2,
  })
  // A file deleted individually can still be restored individually.
  expect((await server.call('POST', `/projects/${id}/files/${gone}/restore`)).status).toBe(200)
  expect((await get(id)).body.FileCount).toBe(3)
})

test('files that the deletion has not reached need no restoration, and their processing continues', async () => {
  const id = await hands.newProject()
  const ids = await hands.upload(id, await hands.sample())
  const job = await hands.jobOf(ids)
  await remove(id)
  // The job ends because the project is deleted.
  await hands.processJob(job)
  await restore(id)
  expect(await stateOf(id)).toEqual({ live: 1, deleted: 0 })
  await hands.projectFiles(id)
  expect((await hands.jobOf(ids)).generation).toBe(2)
  await hands.finish(ids)
  expect(await hands.get(ids)).toMatchObject({ Status: 'finished' })
  expect(await hands.eventsOf(ids.fileId)).not.toContain('file.deleted')
  const queued = await server.services.database.sql`
    select data from pgboss.job where name = 'file.process' and data->>'fileId' = ${String(ids.fileId)}`
  expect(
    queued
      .map(({ data }) => (data as { generation: number }).generation)
      .toSorted((one, other) => one - other),
  ).toEqual([1, 2])
})

test('a video without a storyboard gets one when its project is restored, even if its deletion was not reached', async () => {
  const id = await hands.newProject()
  const ids = await hands.upload(id, await hands.smallSample())
  await hands.finish(ids)
  const { sql, kysely } = server.services.database
  await kysely.updateTable('media_files').set({ storyboard: null }).where('id', '=', ids.fileId).execute()
  const asked = () => sql<{ data: object }[]>`
    delete from pgboss.job where name = 'file.storyboard' and data->>'fileId' = ${String(ids.fileId)}
    returning data`
  await asked()
  await remove(id)
  await restore(id)
  await hands.projectFiles(id)
  expect(await asked()).toMatchObject([{ data: await hands.jobOf(ids) }])
  await hands.storyboard(ids)
  await remove(id)
  await restore(id)
  await hands.projectFiles(id)
  expect(await asked()).toEqual([])
})

test('processing of a file continues even when a client edits the file before the job runs', async () => {
  const id = await hands.newProject()
  const ids = await hands.upload(id, await hands.smallSample())
  const job = await hands.jobOf(ids)
  await remove(id)
  await hands.processJob(job)
  await restore(id)
  const [asked] = await server.services.database.sql<{ data: ProjectFilesJob }[]>`
    select data from pgboss.job where name = 'project.files' and data->>'projectId' = ${String(id)}
    order by (data->>'changedAtMs')::bigint desc limit 1`
  await server.call('PUT', `/projects/${id}/files/${ids.fileId}/metadata`, { body: { Title: 'Edited' } })
  await createProjectFilesHandler(hands.dependencies)(
    asked?.data as ProjectFilesJob,
    new AbortController().signal,
  )
  expect((await hands.jobOf(ids)).generation).toBe(2)
  await hands.finish(ids)
  expect(await hands.get(ids)).toMatchObject({ Status: 'finished', Metadata: { Title: 'Edited' } })
})

test('a file with a lost job is queued again once after a day', async () => {
  const id = await hands.newProject()
  const ids = await hands.upload(id, await hands.smallSample())
  const { kysely, sql } = server.services.database
  const waiting = () =>
    sql`select id from pgboss.job where name = 'file.process' and data->>'fileId' = ${String(ids.fileId)}`
  await sql`delete from pgboss.job where name = 'file.process' and data->>'fileId' = ${String(ids.fileId)}`
  await hands.housekeeping()
  expect(await waiting()).toHaveLength(0)
  await kysely
    .updateTable('media_files')
    .set({ updated_at: new Date(Date.now() - 2 * 86_400_000) })
    .where('id', '=', ids.fileId)
    .execute()
  await hands.housekeeping()
  await hands.housekeeping()
  expect(await waiting()).toHaveLength(1)
})

describe('The job that updates the files of a deleted or restored project', () => {
  const many = 130

  test('deletes any number of files in batches and resumes after an interruption', async () => {
    const id = await hands.newProject()
    await addFiles(id, many)
    await remove(id)
    const stopped = new AbortController()
    const run = hands.projectFiles(id, stopped.signal)
    stopped.abort()
    await expect(run).rejects.toThrow()
    const { live } = await stateOf(id)
    expect(live).toBeGreaterThan(0)
    expect(live).toBeLessThanOrEqual(many)
    await hands.projectFiles(id)
    await hands.projectFiles(id)
    expect(await stateOf(id)).toEqual({ live: 0, deleted: many })
    expect((await eventCounts(id))['file.deleted']).toBe(many)
    const { body } = await server.call('GET', '/projects?includeDeleted=true&limit=500')
    expect(body.Projects.find(({ Id }: { Id: number }) => Id === id)).toMatchObject({
      IsEnabled: false,
      FileCount: 0,
      StorageBytes: 0,
    })
  })

  test('ends in the state of the project after repeated deletions and restorations', async () => {
    const id = await hands.newProject()
    await addFiles(id, many)
    for (let round = 0; round < 3; round += 1) {
      await remove(id)
      const deleting = hands.projectFiles(id)
      await restore(id)
      await Promise.all([deleting, hands.projectFiles(id), hands.projectFiles(id)])
      expect(await stateOf(id)).toEqual({ live: many, deleted: 0 })
      expect((await get(id)).body.FileCount).toBe(many)
      expect(await countFiles(id)).toBe(many)
    }
    await remove(id)
    await Promise.all([hands.projectFiles(id), hands.projectFiles(id)])
    expect(await stateOf(id)).toEqual({ live: 0, deleted: many })
    const counts = await eventCounts(id)
    expect(counts['file.deleted']).toBe((counts['file.restored'] ?? 0) + many)
  })

  test('does nothing for a purged project', async () => {
    const id = await hands.newProject()
    await remove(id)
    await server.services.database.kysely
      .updateTable('projects')
      .set({ purged_at: new Date() })
      .where('id', '=', id)
      .execute()
    await hands.projectFiles(id)
  })
})

test('a refused restoration states the reason', async () => {
  const id = await hands.newProject()
  expectProblem(await restore(id), 'conflict')
  expectProblem(await restore(999_999), 'not_found')
  expectProblem(await restore(id, await server.newKey({ inNewAccount: true })), 'not_found')
  expectProblem(await restore(id, await server.newKey({ role: 'SeniorEditor' })), 'forbidden')
  await remove(id)
  const answers = await Promise.all([restore(id), restore(id), restore(id)])
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409, 409])
})

describe('After the retention period', () => {
  const age = async (id: number) => {
    const { kysely } = server.services.database
    const longAgo = new Date(Date.now() - 8 * 86_400_000)
    const purgeAt = new Date(Date.now() - 1_000)
    await kysely
      .updateTable('projects')
      .set({ deleted_at: longAgo, purge_at: purgeAt })
      .where('id', '=', id)
      .execute()
  }

  test('a deleted project is purged together with its last file', async () => {
    const id = await hands.newProject({ Name: 'Purged', Description: 'All of it' })
    const ids = await hands.upload(id, Buffer.from('bytes'))
    await remove(id)
    await hands.projectFiles(id)
    await hands.housekeeping()
    expect((await restore(id)).status).toBe(200)
    await remove(id)
    await hands.projectFiles(id)
    await age(id)
    await hands.housekeeping()
    expect((await server.call('GET', `/projects?includeDeleted=true&ids=${id}`)).body.TotalCount).toBe(1)
    await hands.purge(ids)
    await hands.housekeeping()
    expect((await server.call('GET', `/projects?includeDeleted=true&ids=${id}`)).body.TotalCount).toBe(0)
    expectProblem(await restore(id), 'not_found')
    const row = await server.services.database.kysely
      .selectFrom('projects')
      .select(['name', 'description'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(row).toEqual({ name: '', description: '' })
  })

  test('a job that used up its retries is queued again', async () => {
    const id = await hands.newProject()
    await addFiles(id, 1)
    await remove(id)
    const { sql, kysely } = server.services.database
    await sql`delete from pgboss.job where name = 'project.files'`
    await kysely
      .updateTable('projects')
      .set({ updated_at: new Date(Date.now() - 2 * 86_400_000) })
      .where('id', '=', id)
      .execute()
    await hands.housekeeping()
    const asked = await sql`select data from pgboss.job where name = 'project.files'`
    expect(asked.map(({ data }) => (data as { projectId: number }).projectId)).toEqual([id])
  })
})
