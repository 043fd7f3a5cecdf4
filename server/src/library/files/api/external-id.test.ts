import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import { expectProblem } from '../../../platform/http/test-support/expect-problem.ts'

let server: TestServer
let projectId: number
let path: string

beforeAll(async () => {
  server = await startTestServer()
  projectId = (await server.call('POST', '/projects', { body: { Name: 'References' } })).body.Id
  path = `/projects/${projectId}/files`
})

afterAll(() => server.stop())

const create = async (externalId: string | undefined, at = path) => {
  const { body, status } = await server.call('POST', at, {
    body: { FileName: 'clip.mp4', ExternalId: externalId },
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return body as { Id: number; ExternalId: string | null }
}

const idsOf = async (query: string, at = path, apiKey = server.apiKey): Promise<number[]> => {
  const { status, body, headers } = await server.call('GET', `${at}?${query}`, { apiKey })
  expect(status, JSON.stringify(body)).toBe(200)
  expect(headers.get('x-ignored-parameters')).toBeNull()
  expect(body.TotalCount).toBe(body.Files.length)
  return body.Files.map(({ Id }: { Id: number }) => Id)
}

test('finds a file by its ExternalId, matched exactly', async () => {
  const one = await create('find-1')
  const two = await create('Find-1')
  expect(one.ExternalId).toBe('find-1')
  expect((await create(undefined)).ExternalId).toBeNull()
  expect(await idsOf('externalId=find-1')).toEqual([one.Id])
  expect(await idsOf('EXTERNALID=Find-1')).toEqual([two.Id])
  expect(await idsOf('externalId=find-1,Find-1')).toEqual([two.Id, one.Id])
  expect(await idsOf('externalId=find')).toEqual([])
})

test('answers 409 for a second file with the same ExternalId and names the first one', async () => {
  const first = await create('taken-1')
  const answer = await server.call('POST', path, { body: { FileName: 'b.mp4', ExternalId: 'taken-1' } })
  expectProblem(answer, 'conflict')
  expect(answer.body.error.message).toContain(`file ${first.Id}`)
  const other = await create('taken-2')
  const put = await server.call('PUT', `${path}/${other.Id}`, { body: { ExternalId: 'taken-1' } })
  expectProblem(put, 'conflict')
  expect(put.body.error.message).toContain(`file ${first.Id}`)
})

test('creates one file for concurrent uploads with the same ExternalId', async () => {
  const answers = await Promise.all(
    Array.from({ length: 6 }, () =>
      server.call('POST', path, { body: { FileName: 'race.mp4', ExternalId: 'race-1' } }),
    ),
  )
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 409, 409, 409, 409, 409])
})

test('accepts the same ExternalId in another project', async () => {
  const one = await create('shared-1')
  const { body: project } = await server.call('POST', '/projects', { body: { Name: 'Other' } })
  const two = await create('shared-1', `/projects/${project.Id}/files`)
  expect(await idsOf('externalId=shared-1')).toEqual([one.Id])
  expect(await idsOf('externalId=shared-1', '/files')).toEqual([two.Id, one.Id])
})

test('PUT changes the ExternalId, keeps it when absent, and clears it for null', async () => {
  const { Id } = await create('put-1')
  const put = (body: object) => server.call('PUT', `${path}/${Id}`, { body })
  expect((await put({ ExternalId: 'put-2' })).body.ExternalId).toBe('put-2')
  expect((await put({ Metadata: { Title: 'Same' } })).body.ExternalId).toBe('put-2')
  expect(await idsOf('externalId=put-2')).toEqual([Id])
  expect(await idsOf('externalId=put-1')).toEqual([])
  const { body: record } = await server.call('GET', `${path}/${Id}`)
  expect((await put(record)).headers.get('etag')).toBe(
    (await server.call('GET', `${path}/${Id}`)).headers.get('etag'),
  )
  expect((await put({ ExternalId: null })).body.ExternalId).toBeNull()
  expect(await idsOf('externalId=put-2')).toEqual([])
})

test.each(['', ' a', 'a ', 'a,b', 'a\nb', 'x'.repeat(256)])(
  'rejects the ExternalId %j with 400',
  async (bad) => {
    expectProblem(
      await server.call('POST', path, { body: { FileName: 'a.mp4', ExternalId: bad } }),
      'invalid',
    )
  },
)

test('sets the ExternalId of raw, form and tus uploads', async () => {
  const bytes = new TextEncoder().encode('no video, but bytes')
  const raw = await server.call('POST', `${path}?fileName=raw.mp4&externalId=raw-1`, {
    body: bytes,
    headers: { 'Content-Type': 'video/mp4' },
  })
  expect(raw.body.ExternalId).toBe('raw-1')
  const form = new FormData()
  form.set('ExternalId', 'form-1')
  form.set('file', new Blob([bytes]), 'form.mp4')
  expect((await server.call('POST', path, { body: form })).body.ExternalId).toBe('form-1')
  const tus = await server.call('POST', `/projects/${projectId}/tus`, {
    headers: {
      'Tus-Resumable': '1.0.0',
      'Upload-Length': '100',
      'Upload-Metadata': `filename ${btoa('a.mp4')},externalId ${btoa('tus-1')}`,
    },
  })
  expect(tus.body.ExternalId).toBe('tus-1')
  const again = await server.call('POST', `${path}?externalId=raw-1`, {
    body: bytes,
    headers: { 'Content-Type': 'video/mp4' },
  })
  expectProblem(again, 'conflict')
  expectProblem(
    await server.call('POST', `${path}?externalId=%20x`, {
      body: bytes,
      headers: { 'Content-Type': 'video/mp4' },
    }),
    'invalid',
  )
})

test('frees the ExternalId of a deleted file, and answers 409 to a restore that would duplicate it', async () => {
  const first = await create('again-1')
  await server.call('DELETE', `${path}/${first.Id}`)
  expect(await idsOf('externalId=again-1')).toEqual([])
  expect(await idsOf('externalId=again-1&includeDeleted=true')).toEqual([first.Id])
  const second = await create('again-1')
  const restore = () => server.call('POST', `${path}/${first.Id}/restore`)
  const refused = await restore()
  expectProblem(refused, 'conflict')
  expect(refused.body.error.message).toContain(`file ${second.Id}`)
  await server.call('PUT', `${path}/${second.Id}`, { body: { ExternalId: 'again-2' } })
  expect((await restore()).body).toMatchObject({ Id: first.Id, ExternalId: 'again-1' })
})

test('finds files by programId and by fields of CustomMetadata', async () => {
  const give = async (metadata: object): Promise<number> =>
    (await server.call('POST', path, { body: { FileName: 'm.mp4', Metadata: metadata } })).body.Id
  const one = await give({
    ProgramId: 'P-1, part 2',
    CustomMetadata: { Department: 'News', season: 4, rooms: ['a', 'b'], adsDisabled: true },
  })
  const two = await give({ ProgramId: 'P-1', CustomMetadata: { Department: 'news', 'a.b[c]': true } })
  expect(await idsOf('programId=P-1')).toEqual([two])
  expect(await idsOf('programid=P-1, part 2')).toEqual([two, one])
  expect(await idsOf('programId=p-1')).toEqual([])
  expect(await idsOf('customMetadata.Department=News')).toEqual([one])
  expect(await idsOf('custommetadata.Department=News,news')).toEqual([two, one])
  expect(await idsOf('customMetadata.department=News')).toEqual([])
  expect(await idsOf('customMetadata.season=4')).toEqual([one])
  expect(await idsOf('customMetadata.rooms=b')).toEqual([one])
  expect(await idsOf(`customMetadata.${encodeURIComponent('a.b[c]')}=true`)).toEqual([two])
  expect(await idsOf('customMetadata[Department]=News')).toEqual([one])
  expect(await idsOf('customMetadata.Department=News,news&customMetadata.season=4')).toEqual([one])
  expect(await idsOf('customMetadata.adsDisabled=true')).toEqual([one])
  expect(await idsOf(`customMetadata.adsDisabled=false&ids=${one},${two}`)).toEqual([two])
  expect(await idsOf('customMetadata.Department=News&programId=P-1', '/files')).toEqual([])
  await server.call('PUT', `${path}/${one}/metadata`, { body: { CustomMetadata: { Department: 'Sports' } } })
  expect(await idsOf('customMetadata.Department=News')).toEqual([])
  expect(await idsOf('customMetadata.Department=Sports', '/files')).toEqual([one])
  const twice = await server.call('GET', `${path}?customMetadata.a=1&customMetadata.a=2`)
  expectProblem(twice, 'invalid')
  expect(twice.body.error.details[0].field).toBe('customMetadata.a')
  const ignored = await server.call('GET', `${path}?customMetadata.=1&customMetadataX=2`)
  expect(ignored.headers.get('x-ignored-parameters')).toBe('customMetadata., customMetadataX')
})

test('looks up an ExternalId by an index in a project with many files', async () => {
  const { kysely, sql } = server.services.database
  const { body: project } = await server.call('POST', '/projects', { body: { Name: 'Many' } })
  const account = await kysely.selectFrom('accounts').select('id').orderBy('id').executeTakeFirstOrThrow()
  await sql`insert into media_files (account_id, project_id, original_file_name, use_encoding, encoding_priority, metadata, external_id)
    select ${account.id}, ${project.Id}, 'a.mp4', true, 50, '{"Title": "", "Tags": [], "Category": [], "Videotype": [], "CustomMetadata": {}}', 'many-' || n
    from generate_series(1, 3000) n`
  await sql`analyze file_list`
  const plan = await sql<{ 'QUERY PLAN': string }[]>`
    explain select file_id from file_list where project_id = ${project.Id} and not is_deleted and external_id = any(${['many-7']}::text[])`
  expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toContain('file_list_by_external_id')
})
