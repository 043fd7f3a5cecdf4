import type { ProjectRole, Role } from '@zoetrope/vocabulary'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHands } from '../../../../test/support/hands.ts'
import { request, startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import {
  addressesOf,
  makePlayableFile,
  type PlayableFile,
} from '../../../playback/test-support/playable-file.ts'
import { expectProblem } from '../../../platform/http/test-support/expect-problem.ts'
import { blobPrefixOf } from '../record/media-file-store.ts'

let server: TestServer
let hands: ReturnType<typeof createHands>
let targetId: number

beforeAll(async () => {
  server = await startTestServer()
  hands = createHands(server)
  targetId = await hands.newProject({ Name: 'Target' })
})

afterAll(() => server.stop())

type Place = Pick<PlayableFile, 'projectId' | 'id'>

const pathOf = ({ projectId, id }: Place) => `/projects/${projectId}/files/${id}`
const move = (file: Place, to: unknown, options: object = {}) =>
  server.call('POST', `${pathOf(file)}/move`, { body: { ProjectId: to }, ...options })
const finishedFile = (options: Parameters<typeof makePlayableFile>[1] = {}) =>
  makePlayableFile(server, { state: 'finished', ...options })
const setColumns = (id: number, set: object) =>
  server.services.database.kysely.updateTable('media_files').set(set).where('id', '=', id).execute()

/** Adds bytes to the counters of a file and its project, as a worker does. */
const addBytes = async ({ id, projectId }: Place, bytes: number) => {
  await setColumns(id, { storage_bytes: bytes })
  await server.services.database.kysely
    .updateTable('projects')
    .set({ storage_bytes: bytes })
    .where('id', '=', projectId)
    .execute()
}

const figuresOf = async (projectId: number) => {
  const { FileCount, StorageBytes } = (await server.call('GET', `/projects/${projectId}`)).body
  return { FileCount, StorageBytes }
}
const idsIn = async (projectId: number, query = ''): Promise<number[]> =>
  (await server.call('GET', `/projects/${projectId}/files${query}`)).body.Files.map(
    ({ Id }: { Id: number }) => Id,
  )

const newKey = async (role: Role, projectRoles: Readonly<Record<number, ProjectRole>>, key: object = {}) => {
  const ProjectRoles = Object.entries(projectRoles).map(([id, Role]) => ({ ProjectId: Number(id), Role }))
  const Email = `${crypto.randomUUID()}@example.com`
  const { body: user } = await server.call('POST', '/users', { body: { Email, Role: role, ProjectRoles } })
  const { body } = await server.call('POST', '/apikeys', { body: { Label: 'a', UserId: user.Id, ...key } })
  return body.Token as string
}

test('moves a file with its record, its figures and its place in lists and searches', async () => {
  const to = await hands.newProject({ Name: 'To' })
  const file = await finishedFile({
    metadata: { Title: 'Tides of the North', Tags: ['coast'], CustomMetadata: { reel: 'B' } },
  })
  await addBytes(file, 700)
  const before = (await server.call('GET', pathOf(file))).body
  const answer = await move(file, to)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('etag')).toMatch(/^"/)
  expect(answer.body).toEqual({
    ...before,
    ProjectId: to,
    Name: `${to}/${file.id}/clip.mp4`,
    LastUpdateAt: answer.body.LastUpdateAt,
  })
  expect((await server.call('GET', pathOf({ ...file, projectId: to }))).body).toEqual(answer.body)
  expectProblem(await server.call('GET', pathOf(file)), 'not_found')
  expect(await figuresOf(file.projectId)).toEqual({ FileCount: 0, StorageBytes: 0 })
  expect(await figuresOf(to)).toEqual({ FileCount: 1, StorageBytes: 700 })
  for (const query of ['', '?search=tides', '?tag=coast', '?customMetadata.reel=B', '?limit=1&offset=0']) {
    expect(await idsIn(to, query)).toEqual([file.id])
    expect(await idsIn(file.projectId, query)).toEqual([])
  }
  const blocks = await server.services.database.sql<{ count: number }[]>`
    select sum(file_count)::int as count from file_block_counts
    where project_id in (${file.projectId}, ${to}) group by project_id order by project_id`
  expect(blocks.map(({ count }) => count)).toEqual([1, 0])
})

test('keeps every address of viewers, and its media until the purge', async () => {
  const file = await finishedFile()
  const statuses = () =>
    Promise.all(addressesOf(file).map(async (path) => (await request(server.url + path, 'GET')).status))
  const signed = await server.call('POST', `${pathOf(file)}/playouts/sign`, { body: {} })
  await move(file, targetId)
  expect(await statuses()).toEqual(addressesOf(file).map(() => 200))
  expect((await request(signed.body.HLS, 'GET')).status).toBe(200)
  const moved = { ...file, projectId: targetId }
  const text = 'WEBVTT\n\n00:00.000 --> 00:01.000\nHello\n'
  const caption = { Language: 'en', Content: text }
  expect((await server.call('POST', `${pathOf(moved)}/captions`, { body: caption })).status).toBe(201)
  // Media is now in the folders of both projects.
  const stored = async () => {
    const prefixes = [file.projectId, targetId].map((projectId) =>
      blobPrefixOf({ accountId: 1, projectId, fileId: file.id }),
    )
    return Promise.all(prefixes.map(async (prefix) => (await server.services.blobs.list(prefix)).length > 0))
  }
  expect(await stored()).toEqual([true, true])
  await server.call('DELETE', pathOf(moved))
  await hands.purge({ projectId: targetId, fileId: file.id })
  expect(await stored()).toEqual([false, false])
})

test('applies the settings of the new project to viewers', async () => {
  const protectedId = await hands.newProject({ TokenSecurity: true })
  const file = await finishedFile()
  await move(file, protectedId)
  expect((await request(`${server.url}${file.path}/main.m3u8`, 'GET')).status).toBe(403)
})

test('sends file.moved once for each project, with consecutive sequence numbers', async () => {
  const file = await finishedFile()
  const webhook = async (ProjectId: number | null) =>
    (
      await server.call('POST', '/modules/notifications', {
        body: { TargetURL: 'zoetrope:inspector', EventTypes: ['file.moved'], ProjectId },
      })
    ).body.Id as number
  const webhooks = await Promise.all([file.projectId, targetId, null].map(webhook))
  await move(file, targetId)
  const events = await server.services.database.kysely
    .selectFrom('events')
    .selectAll()
    .where('file_id', '=', file.id)
    .where('name', '=', 'file.moved')
    .orderBy('sequence')
    .execute()
  expect(events.map(({ project_id }) => project_id)).toEqual([file.projectId, targetId])
  expect(events.map(({ record }) => JSON.parse(record).ProjectId)).toEqual([targetId, targetId])
  expect((events[1]?.sequence ?? 0) - (events[0]?.sequence ?? 0)).toBe(1)
  const counts = await Promise.all(
    webhooks.map(
      async (id) =>
        (await server.call('GET', `/modules/notifications/${id}/deliveries?event=file.moved`)).body
          .TotalCount,
    ),
  )
  expect(counts).toEqual([1, 1, 2])
})

test('leaves the playlists of the old project, and returns to them when it is moved back', async () => {
  const file = await finishedFile()
  const newPlaylist = async (body: object) =>
    (await server.call('POST', '/modules/playlists', { body: { Name: 'a', ...body } })).body.Id as number
  const Elements = [{ FileId: file.id }]
  const rules = { Type: 'automatic', Rules: { Match: 'all', Conditions: [] } }
  const ids = [
    await newPlaylist({ ProjectId: file.projectId, Elements }),
    await newPlaylist({ ProjectId: null, Elements }),
    await newPlaylist({ ProjectId: file.projectId, ...rules }),
    await newPlaylist({ ProjectId: targetId, ...rules }),
  ]
  const read = async (id: number) => (await server.call('GET', `/modules/playlists/${id}`)).body
  const placesIn = async () =>
    Promise.all(
      ids.map(async (id) =>
        (await read(id)).Elements.filter(({ FileId }: { FileId: number }) => FileId === file.id).map(
          ({ ProjectId }: { ProjectId: number }) => ProjectId,
        ),
      ),
    )
  const { projectId } = file
  expect(await placesIn()).toEqual([[projectId], [projectId], [projectId], []])
  const [before] = await Promise.all(ids.map(read))
  await move(file, targetId)
  expect(await placesIn()).toEqual([[], [targetId], [], [targetId]])
  expect(Date.parse((await read(ids[0] ?? 0)).LastUpdateAt)).toBeGreaterThan(Date.parse(before.LastUpdateAt))
  await move({ ...file, projectId: targetId }, projectId)
  expect(await placesIn()).toEqual([[projectId], [projectId], [projectId], []])
})

test('changes nothing when the file is already in the project', async () => {
  const file = await finishedFile()
  const before = (await server.call('GET', pathOf(file))).body
  const answer = await move(file, file.projectId)
  expect(answer.status).toBe(200)
  expect(answer.body).toEqual(before)
  expect(await hands.eventsOf(file.id)).not.toContain('file.moved')
})

test('keeps custom fields that the new project defines otherwise or not at all', async () => {
  const strict = await hands.newProject({
    MetadataFields: [
      { Name: 'reel', Type: 'number' },
      { Name: 'desk', Type: 'string', IsRequired: true },
    ],
  })
  const file = await finishedFile({ metadata: { CustomMetadata: { reel: 'B', shelf: 4 } } })
  const { body } = await move(file, strict)
  expect(body.Metadata.CustomMetadata).toEqual({ adsDisabled: false, reel: 'B', shelf: 4 })
})

test('refuses a stale If-Match with 412', async () => {
  const file = await finishedFile()
  const { headers } = await server.call('GET', pathOf(file))
  expectProblem(await move(file, targetId, { headers: { 'If-Match': '"old"' } }), 'stale')
  const etag = headers.get('etag') ?? ''
  expect((await move(file, targetId, { headers: { 'If-Match': etag } })).status).toBe(200)
})

test('repeats its answer for a repeated Idempotency-Key', async () => {
  const file = await finishedFile()
  const headers = { 'Idempotency-Key': crypto.randomUUID() }
  const first = await move(file, targetId, { headers })
  const again = await move(file, targetId, { headers })
  expect([again.status, again.body]).toEqual([200, first.body])
})

test.each([
  [{}, 'ProjectId'],
  [{ ProjectId: 'news' }, 'ProjectId'],
  [{ ProjectId: 0 }, 'ProjectId'],
  [{ ProjectId: null }, 'ProjectId'],
])('refuses the body %j with 400', async (body, field) => {
  const file = await finishedFile()
  const answer = await move(file, 0, { body })
  expectProblem(answer, 'invalid')
  expect(answer.body.error.details[0].field).toBe(field)
})

test('answers 404 for an unknown, deleted or foreign project, and for a file that is not there', async () => {
  const file = await finishedFile()
  const deleted = await hands.newProject()
  await server.call('DELETE', `/projects/${deleted}`)
  const apiKey = await server.newKey({ inNewAccount: true })
  const { body: foreign } = await server.call('POST', '/projects', { apiKey, body: { Name: 'Foreign' } })
  for (const target of [999_999, deleted, foreign.Id as number]) {
    const answer = await move(file, target)
    expectProblem(answer, 'not_found')
    expect(answer.body.error.message).toContain(String(target))
  }
  expectProblem(await move(file, foreign.Id, { apiKey }), 'not_found')
  expectProblem(await move({ ...file, projectId: targetId }, targetId), 'not_found')
  expectProblem(await move({ ...file, id: 999_999 }, targetId), 'not_found')
  await server.call('DELETE', pathOf(file))
  expectProblem(await move(file, targetId), 'not_found')
})

test('needs files:delete in the old project, files:upload in the new one, and files:publish for published files', async () => {
  const published = await finishedFile()
  const draft = await finishedFile({ metadata: { ReleaseStatus: 'draft' } })
  const from = (role: ProjectRole, to: ProjectRole) =>
    newKey('Reader', { [published.projectId]: role, [draft.projectId]: role, [targetId]: to })
  const junior = await from('JuniorEditor', 'SeniorEditor')
  expectProblem(await move(draft, targetId, { apiKey: junior }), 'forbidden')
  const reader = await from('SeniorEditor', 'Reader')
  expectProblem(await move(draft, targetId, { apiKey: reader }), 'forbidden')
  const uploader = await from('SeniorEditor', 'Uploader')
  expectProblem(await move(published, targetId, { apiKey: uploader }), 'forbidden')
  expect((await move(draft, targetId, { apiKey: uploader })).status).toBe(200)
  const senior = await from('SeniorEditor', 'SeniorEditor')
  expect((await move(published, targetId, { apiKey: senior })).status).toBe(200)
})

test('hides projects that the key or its user cannot see', async () => {
  const file = await finishedFile()
  const bound = await newKey('Administrator', {}, { ProjectIds: [file.projectId] })
  expectProblem(await move(file, targetId, { apiKey: bound }), 'not_found')
  const boundToTarget = await newKey('Administrator', {}, { ProjectIds: [targetId] })
  expectProblem(await move(file, targetId, { apiKey: boundToTarget }), 'not_found')
  const shutOut = await newKey('SeniorEditor', { [targetId]: 'None' })
  expectProblem(await move(file, targetId, { apiKey: shutOut }), 'not_found')
  const both = await newKey('Administrator', {}, { ProjectIds: [file.projectId, targetId] })
  expect((await move(file, targetId, { apiKey: both })).status).toBe(200)
})

test.each(['created', 'uploaded', 'encoding', 'playable'] as const)(
  'refuses a file that is %s with 409',
  async (state) => {
    const file = await makePlayableFile(server, { state })
    await setColumns(file.id, { source_blob: 'source' })
    const answer = await move(file, targetId)
    expectProblem(answer, 'conflict')
    expect(answer.body.error.reason).toBe('file_processing')
    await setColumns(file.id, { source_blob: null })
    expect((await move(file, targetId)).body.error.reason).toBe('file_not_uploaded')
  },
)

test('refuses a file whose replacement is being uploaded with 409', async () => {
  const file = await finishedFile()
  await setColumns(file.id, { source_blob: 'source' })
  const replacement = { FileName: 'b.mp4', FileSize: 10 }
  expect((await server.call('PUT', `${pathOf(file)}/replace`, { body: replacement })).status).toBe(200)
  const answer = await move(file, targetId)
  expectProblem(answer, 'conflict')
  expect(answer.body.error.reason).toBe('file_upload_unfinished')
})

test.each(['failed', 'degraded'] as const)('moves a %s file, which can then be retried', async (state) => {
  const { projectId, fileId } = await hands.upload(await hands.newProject(), Buffer.from('bytes'))
  await setColumns(fileId, { state })
  const { status } = await move({ projectId, id: fileId }, targetId)
  expect(status).toBe(200)
  const retried = await server.call('POST', `/projects/${targetId}/files/${fileId}/retry`)
  expect(retried.status).toBe(200)
  expect((await hands.jobOf({ projectId: targetId, fileId })).generation).toBeGreaterThan(1)
})

test('refuses an ExternalId that the new project has already with 409', async () => {
  const file = await finishedFile()
  const ExternalId = crypto.randomUUID()
  await server.call('PUT', pathOf(file), { body: { ExternalId } })
  const other = await server.call('POST', `/projects/${targetId}/files`, {
    body: { FileName: 'a.mp4', ExternalId },
  })
  const answer = await move(file, targetId)
  expectProblem(answer, 'conflict')
  expect(answer.body.error.reason).toBe('external_id_of_file')
  await server.call('DELETE', `/projects/${targetId}/files/${other.body.Id}`)
  expect((await move(file, targetId)).body.ExternalId).toBe(ExternalId)
  expect(await idsIn(targetId, `?externalId=${ExternalId}`)).toEqual([file.id])
})

test('refuses a file that exceeds the quota of the new project with 413', async () => {
  const small = await hands.newProject({ StorageQuotaBytes: 1_000 })
  const file = await finishedFile()
  await addBytes(file, 1_001)
  const answer = await move(file, small)
  expectProblem(answer, 'quota_exceeded')
  expect(await figuresOf(file.projectId)).toEqual({ FileCount: 1, StorageBytes: 1_001 })
  await addBytes(file, 1_000)
  expect((await move(file, small)).status).toBe(200)
})

test('counts correctly when moves, deletions and captions meet', async () => {
  const [one, other] = [await hands.newProject(), await hands.newProject()] as const
  const files = await Promise.all(Array.from({ length: 6 }, () => finishedFile()))
  for (const file of files) await move(file, one)
  const content = 'WEBVTT\n\n00:00.000 --> 00:01.000\nHello\n'
  const answers = await Promise.all(
    files.flatMap(({ id }, index) => [
      move({ id, projectId: one }, other),
      move({ id, projectId: other }, one),
      server.call('POST', `/projects/${one}/files/${id}/captions`, {
        body: { Language: 'en', Content: content },
      }),
      ...(index % 2 === 0 ? [server.call('DELETE', pathOf({ id, projectId: one }))] : []),
    ]),
  )
  expect(answers.filter(({ status }) => ![200, 201, 404].includes(status))).toEqual([])
  for (const projectId of [one, other]) {
    const rows = await server.services.database.kysely
      .selectFrom('media_files')
      .select(['id', 'storage_bytes'])
      .where('project_id', '=', projectId)
      .where('deleted_at', 'is', null)
      .execute()
    expect(await figuresOf(projectId)).toEqual({
      FileCount: rows.length,
      StorageBytes: rows.reduce((sum, { storage_bytes }) => sum + storage_bytes, 0),
    })
    expect(new Set(await idsIn(projectId))).toEqual(new Set(rows.map(({ id }) => id)))
  }
})
