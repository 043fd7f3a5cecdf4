import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createHands } from '../../../../test/support/hands.ts'
import { request, startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import { expectProblem } from '../../../platform/http/test-support/expect-problem.ts'
import { addressesOf, makePlayableFile } from '../../../playback/test-support/playable-file.ts'

let server: TestServer
let hands: ReturnType<typeof createHands>

beforeAll(async () => {
  server = await startTestServer()
  hands = createHands(server)
})

afterAll(() => server.stop())

const pathOf = ({ projectId, id }: { projectId: number; id: number }) => `/projects/${projectId}/files/${id}`
const remove = (file: { projectId: number; id: number }) => server.call('DELETE', pathOf(file))
const restore = (file: { projectId: number; id: number }) => server.call('POST', `${pathOf(file)}/restore`)

const newFile = async (projectId?: number) => {
  const { body } = await server.call('POST', `/projects/${projectId ?? (await hands.newProject())}/files`, {
    body: { FileName: 'a.mp4', Metadata: { Title: 'Kept' } },
  })
  return { id: body.Id as number, projectId: body.ProjectId as number, upload: body.Upload.URI as string }
}

const expireUploads = (fileId: number) =>
  server.services.database.kysely
    .updateTable('uploads')
    .set({ expires_at: new Date(0) })
    .where('file_id', '=', fileId)
    .execute()

test('restores a deleted file with its counts and sends file.restored', async () => {
  const { projectId, fileId } = await hands.upload(await hands.newProject(), Buffer.from('bytes'))
  const file = { projectId, id: fileId }
  const before = (await server.call('GET', pathOf(file))).body
  const projectBefore = (await server.call('GET', `/projects/${projectId}`)).body
  await remove(file)
  expect((await server.call('GET', `/projects/${projectId}`)).body).toMatchObject({
    FileCount: 0,
    StorageBytes: 0,
  })
  const answer = await restore(file)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('etag')).toMatch(/^"/)
  expect(answer.body).toEqual({ ...before, LastUpdateAt: answer.body.LastUpdateAt })
  expect((await server.call('GET', pathOf(file))).body).toEqual(answer.body)
  expect((await server.call('GET', `/projects/${projectId}`)).body).toEqual(projectBefore)
  const { body: list } = await server.call('GET', `/projects/${projectId}/files`)
  expect(list).toMatchObject({ TotalCount: 1, Files: [{ Id: fileId, IsEnabled: true }] })
  expect(await hands.eventsOf(fileId)).toEqual(['file.created', 'file.deleted', 'file.restored'])
})

test('answers 404 to every request for a deleted file except its restoration', async () => {
  const file = await newFile()
  await remove(file)
  for (const [method, path, body] of [
    ['GET', '', undefined],
    ['PUT', '', {}],
    ['PUT', '/metadata', {}],
    ['DELETE', '', undefined],
    ['GET', '/playouts', undefined],
    ['POST', '/retry', undefined],
    ['PUT', '/replace', { FileName: 'b.mp4' }],
  ] as const)
    expectProblem(
      await server.call(method, pathOf(file) + path, body === undefined ? {} : { body }),
      'not_found',
    )
  expect((await request(file.upload, 'HEAD')).status).toBe(404)
  expect((await restore(file)).status).toBe(200)
  // Its upload can continue.
  expect((await request(file.upload, 'HEAD')).status).toBe(200)
})

test('restarts the expiry of an unfinished upload whose file was deleted', async () => {
  const file = await newFile()
  await remove(file)
  await expireUploads(file.id)
  expect((await restore(file)).status).toBe(200)
  await hands.housekeeping()
  expect((await server.call('GET', pathOf(file))).status).toBe(200)
  expect((await request(file.upload, 'PUT', { body: Buffer.from('bytes') })).status).toBe(200)
})

test.each([
  ['reached', true],
  ['had not reached', false],
])(
  'restarts the expiry of uploads with their project, for files that its deletion %s',
  async (_how, isReached) => {
    const file = await newFile()
    await server.call('DELETE', `/projects/${file.projectId}?cascade=true`)
    if (isReached) await hands.projectFiles(file.projectId)
    await expireUploads(file.id)
    await hands.housekeeping()
    await server.call('POST', `/projects/${file.projectId}/restore`)
    await hands.projectFiles(file.projectId)
    await hands.housekeeping()
    expect((await server.call('GET', pathOf(file))).status).toBe(200)
    expect((await request(file.upload, 'PUT', { body: Buffer.from('bytes') })).status).toBe(200)
  },
)

test('serves nothing of a deleted file or project, and everything after its restoration', async () => {
  const file = await makePlayableFile(server, { state: 'finished' })
  const statuses = () =>
    Promise.all(addressesOf(file).map(async (path) => (await request(server.url + path, 'GET')).status))
  const all = (status: number) => addressesOf(file).map(() => status)
  expect(await statuses()).toEqual(all(200))
  await remove(file)
  expect(await statuses()).toEqual(all(404))
  await restore(file)
  expect(await statuses()).toEqual(all(200))
  await server.call('DELETE', `/projects/${file.projectId}?cascade=true`)
  expect(await statuses()).toEqual(all(404))
  await server.call('POST', `/projects/${file.projectId}/restore`)
  expect(await statuses()).toEqual(all(200))
  // Repeats this with the job that deletes the files of the project.
  await server.call('DELETE', `/projects/${file.projectId}?cascade=true`)
  await hands.projectFiles(file.projectId)
  expect(await statuses()).toEqual(all(404))
  await server.call('POST', `/projects/${file.projectId}/restore`)
  await hands.projectFiles(file.projectId)
  expect(await statuses()).toEqual(all(200))
})

test('explains why a file cannot be restored', async () => {
  const file = await newFile()
  expectProblem(await restore(file), 'conflict')
  expectProblem(await restore({ ...file, id: 999_999 }), 'not_found')
  expectProblem(await restore({ ...file, projectId: await hands.newProject() }), 'not_found')
  expectProblem(await restore({ ...file, projectId: 999_999 }), 'not_found')
  await server.call('DELETE', `/projects/${file.projectId}?cascade=true`)
  const ofDeletedProject = await restore(file)
  expectProblem(ofDeletedProject, 'conflict')
  expect(ofDeletedProject.body.error.message).toContain('Restore the project')
})

describe('the purge', () => {
  test('does nothing for a restored file, and works for its next deletion', async () => {
    const { projectId, fileId } = await hands.upload(await hands.newProject(), Buffer.from('bytes'))
    const file = { projectId, id: fileId }
    await remove(file)
    const { deleted_at: firstDeletion } = await hands.rowOf(fileId)
    await restore(file)
    await hands.purge({ projectId, fileId }, firstDeletion ?? undefined)
    expect((await server.call('GET', pathOf(file))).status).toBe(200)
    await remove(file)
    await hands.purge({ projectId, fileId }, firstDeletion ?? undefined)
    expect((await restore(file)).status).toBe(200)
    await remove(file)
    await hands.purge({ projectId, fileId })
    expectProblem(await restore(file), 'not_found')
    expect(await server.services.blobs.deletePrefix(`a1/p${projectId}/f${fileId}/`)).toBe(0)
  })

  test('blocks the restoration once it has begun, and continues after a crash', async () => {
    const { projectId, fileId } = await hands.upload(await hands.newProject(), Buffer.from('bytes'))
    await remove({ projectId, id: fileId })
    const { deleted_at: deletedAt } = await hands.rowOf(fileId)
    const { kysely } = server.services.database
    await kysely.updateTable('media_files').set({ purging_at: new Date() }).where('id', '=', fileId).execute()
    expectProblem(await restore({ projectId, id: fileId }), 'not_found')
    await hands.purge({ projectId, fileId }, deletedAt ?? undefined)
    expect(await kysely.selectFrom('media_files').select('id').where('id', '=', fileId).execute()).toEqual([])
  })

  test('leaves either a whole file or none when it runs concurrently with restorations', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { projectId, fileId } = await hands.upload(await hands.newProject(), Buffer.from('bytes'))
      const file = { projectId, id: fileId }
      await remove(file)
      const [, ...answers] = await Promise.all([
        hands.purge({ projectId, fileId }),
        restore(file),
        restore(file),
        restore(file),
      ])
      const statuses = answers.map(({ status }) => status).toSorted((one, other) => one - other)
      const source = await server.services.blobs.stat(`a1/p${projectId}/f${fileId}/source`)
      if (statuses.includes(200)) {
        expect(statuses).toEqual([200, 409, 409])
        expect(source).not.toBeNull()
        expect((await server.call('GET', `/projects/${projectId}`)).body.FileCount).toBe(1)
      } else {
        expect(statuses).toEqual([404, 404, 404])
        expect(source).toBeNull()
        expect((await server.call('GET', `/projects/${projectId}`)).body.FileCount).toBe(0)
      }
    }
  })
})

test('processes a restored file again, and the job from before its deletion does nothing', async () => {
  const ids = await hands.upload(await hands.newProject(), await hands.sample())
  const file = { projectId: ids.projectId, id: ids.fileId }
  const oldJob = await hands.jobOf(ids)
  await hands.processJob(oldJob)
  expect((await hands.get(ids)).Status).toBe('playable')
  await remove(file)
  const { body } = await restore(file)
  // The renditions stay playable.
  expect(body).toMatchObject({ Status: 'playable', IsPlayable: true })
  expect(body.Renditions.length).toBeGreaterThan(0)
  await hands.ladderJob(oldJob)
  expect((await hands.get(ids)).Status).toBe('playable')
  await hands.finish(ids)
  const finished = await hands.get(ids)
  expect(finished).toMatchObject({ Status: 'finished', HasErrors: false })
  expect(
    new Set(finished.Renditions.map(({ Name, Type }: { Name: string; Type: string }) => Name + Type)).size,
  ).toBe(finished.Renditions.length)
  expect(await hands.eventsOf(ids.fileId)).toEqual([
    'file.created',
    'file.uploaded',
    'file.encoding',
    'file.playable',
    'file.released',
    'file.unreleased',
    'file.deleted',
    'file.restored',
    'file.released',
    'file.encoded',
    'file.new',
  ])
})
