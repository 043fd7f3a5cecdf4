import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import { expectProblem } from '../../../platform/http/test-support/expect-problem.ts'

let server: TestServer
const projects: number[] = []
const files: { readonly id: number; readonly projectId: number; readonly title: string }[] = []

beforeAll(async () => {
  server = await startTestServer()
  for (const name of ['One', 'Two', 'Three'])
    projects.push((await server.call('POST', '/projects', { body: { Name: name } })).body.Id)
  const titles = ['pear', 'apple', 'fig', 'kiwi', 'date', 'plum', 'lime']
  for (const [index, title] of titles.entries()) {
    const projectId = projects[index % 3] as number
    const { body } = await server.call('POST', `/projects/${projectId}/files`, {
      body: { FileName: 'a.mp4', Metadata: { Title: `${title} fruit` } },
    })
    files.push({ id: body.Id, projectId, title })
  }
})

afterAll(() => server.stop())

interface Shown {
  readonly Id: number
  readonly ProjectId: number
}

const list = async (query: string, apiKey = server.apiKey) => {
  const answer = await server.call('GET', `/files?${query}`, { apiKey })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return { ...answer, ids: (answer.body.Files as Shown[]).map(({ Id }) => Id) }
}

const newestFirst = (chosen = files): number[] => chosen.map(({ id }) => id).toReversed()

test('GET /files lists the files of all projects, newest first', async () => {
  const { body, ids } = await list('')
  expect(ids).toEqual(newestFirst())
  expect(body).toMatchObject({ TotalCount: files.length, Limit: 50, Offset: 0, NextCursor: null })
  const { body: one } = await server.call('GET', `/projects/${files[0]?.projectId}/files/${files[0]?.id}`)
  expect(body.Files.at(-1)).toEqual(one)
})

test.each(['created', 'title', 'updated', 'length', 'size'])(
  'GET /files pages by cursor and by offset in the order of %s without gaps',
  async (order) => {
    for (const sort of ['asc', 'desc']) {
      const whole = (await list(`orderBy=${order}&sort=${sort}`)).ids
      expect(whole).toHaveLength(files.length)
      const walked: number[] = []
      let cursor: string | null = null
      do {
        const next: string = cursor === null ? '' : `&cursor=${cursor}`
        const { ids, body } = await list(`orderBy=${order}&sort=${sort}&limit=2${next}`)
        walked.push(...ids)
        cursor = body.NextCursor
      } while (cursor !== null)
      expect(walked).toEqual(whole)
      expect((await list(`orderBy=${order}&sort=${sort}&limit=2&offset=3`)).ids).toEqual(whole.slice(3, 5))
    }
  },
)

test('GET /files sorts by title over all projects', async () => {
  const titles = [...files].sort((a, b) => (a.title < b.title ? -1 : 1)).map(({ id }) => id)
  expect((await list('orderBy=name&sort=asc')).ids).toEqual(titles)
})

test('GET /files accepts the filters of project lists, and projectId', async () => {
  expect((await list('search=fruit%20fig')).ids).toEqual([files[2]?.id])
  expect((await list('search=fruit&limit=2')).body).toMatchObject({ TotalCount: files.length })
  expect((await list(`ids=${files[1]?.id},${files[4]?.id}`)).ids).toEqual([files[4]?.id, files[1]?.id])
  expect((await list('status=created')).ids).toEqual(newestFirst())
  expect((await list('status=finished')).ids).toEqual([])
  const ofTwo = files.filter(({ projectId }) => projectId !== projects[0])
  expect((await list(`projectId=${projects[1]},${projects[2]}`)).ids).toEqual(newestFirst(ofTwo))
  expectProblem(await server.call('GET', '/files?projectId=x'), 'invalid')
  expectProblem(await server.call('GET', '/files?cursor=x'), 'invalid')
})

test('GET /files shows a key only the files of its projects', async () => {
  const apiKey = await server.newKey({ projectIds: [projects[0] as number] })
  const own = files.filter(({ projectId }) => projectId === projects[0])
  const { ids, body } = await list('', apiKey)
  expect(ids).toEqual(newestFirst(own))
  expect(body.TotalCount).toBe(own.length)
  expect((await list(`projectId=${projects[1]}`, apiKey)).body).toMatchObject({ Files: [], TotalCount: 0 })
  expect((await list(`search=fruit`, apiKey)).ids).toEqual(newestFirst(own))
})

test('GET /files shows nothing of another account', async () => {
  const apiKey = await server.newKey({ inNewAccount: true })
  expect((await list('includeDeleted=true', apiKey)).body).toMatchObject({ Files: [], TotalCount: 0 })
  expect((await list(`projectId=${projects[0]}`, apiKey)).body).toMatchObject({ Files: [], TotalCount: 0 })
  expectProblem(
    await server.call('GET', '/files', { apiKey: await server.newKey({ scopes: ['projects:read'] }) }),
    'forbidden',
  )
})

test('GET /files answers 304 until a file changes', async () => {
  const etag = (await list('')).headers.get('etag') as string
  const again = () => server.call('GET', '/files', { headers: { 'If-None-Match': etag } })
  expect((await again()).status).toBe(304)
  const [file] = files
  await server.call('PUT', `/projects/${file?.projectId}/files/${file?.id}`, {
    body: { EncodingPriority: 51 },
  })
  expect((await again()).status).toBe(200)
})

test('GET /files leaves out deleted files and those of deleted projects', async () => {
  const [first] = files
  await server.call('DELETE', `/projects/${first?.projectId}/files/${first?.id}`)
  expect((await list('')).ids).not.toContain(first?.id)
  expect((await list('includeDeleted=true')).ids).toContain(first?.id)
  await server.call('DELETE', `/projects/${projects[1]}?cascade=true`)
  const left = files.filter((file) => file !== first && file.projectId !== projects[1])
  expect((await list('')).ids).toEqual(newestFirst(left))
  expect((await list('status=created')).body.TotalCount).toBe(left.length)
})
