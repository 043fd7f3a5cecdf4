import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../test/support/test-server.ts'
import { expectProblem } from '../../platform/http/test-support/expect-problem.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})

afterAll(() => server.stop())

describe.each([
  { path: '/projects', key: 'Projects', kind: 'project' },
  { path: '/modules/playlists', key: 'Playlists', kind: 'playlist' },
])('$kind', ({ path, key, kind }) => {
  const create = async (externalId: string) => {
    const { status, body } = await server.call('POST', path, {
      body: { Name: externalId, ExternalId: externalId },
    })
    expect(status, JSON.stringify(body)).toBe(201)
    return body as { Id: number; ExternalId: string }
  }
  const idsOf = async (query: string): Promise<number[]> =>
    (await server.call('GET', `${path}?${query}`)).body[key].map(({ Id }: { Id: number }) => Id)

  test(`a ${kind} is found by its ExternalId`, async () => {
    const one = await create('a-1')
    const two = await create('a-2')
    expect(one.ExternalId).toBe('a-1')
    expect(await idsOf('externalId=a-1')).toEqual([one.Id])
    expect(await idsOf('externalid=a-1,a-2')).toEqual([two.Id, one.Id])
    expect(await idsOf('externalId=A-1')).toEqual([])
  })

  test(`a second ${kind} with the same ExternalId answers 409 and names the first one`, async () => {
    const first = await create('b-1')
    const other = await create('b-2')
    const post = await server.call('POST', path, { body: { Name: 'Again', ExternalId: 'b-1' } })
    expectProblem(post, 'conflict')
    expect(post.body.error.message).toContain(`${kind} ${first.Id}`)
    const put = await server.call('PUT', `${path}/${other.Id}`, { body: { ExternalId: 'b-1' } })
    expectProblem(put, 'conflict')
    expect((await server.call('PUT', `${path}/${first.Id}`, { body: first })).status).toBe(200)
    const inOtherAccount = await server.call('POST', path, {
      body: { Name: 'Elsewhere', ExternalId: 'b-1' },
      apiKey: await server.newKey({ inNewAccount: true }),
    })
    expect(inOtherAccount.status).toBe(201)
  })

  test(`concurrent requests with one ExternalId make one ${kind}`, async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () =>
        server.call('POST', path, { body: { Name: 'Race', ExternalId: 'race-1' } }),
      ),
    )
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 409, 409, 409, 409])
  })

  test(`a deleted ${kind} frees its ExternalId, and restoring it into a conflict answers 409`, async () => {
    const first = await create('c-1')
    await server.call('DELETE', `${path}/${first.Id}`)
    const second = await create('c-1')
    const restore = () => server.call('POST', `${path}/${first.Id}/restore`)
    const refused = await restore()
    expectProblem(refused, 'conflict')
    expect(refused.body.error.message).toContain(`${kind} ${second.Id}`)
    const cleared = await server.call('PUT', `${path}/${second.Id}`, { body: { ExternalId: null } })
    expect(cleared.body.ExternalId).toBeNull()
    expect((await restore()).body.ExternalId).toBe('c-1')
  })
})

test('a conflict does not name a project that the key may not see', async () => {
  const make = async (name: string) =>
    (await server.call('POST', '/projects', { body: { Name: name, ExternalId: name } })).body.Id as number
  const hidden = await make('hidden-1')
  const own = await make('own-1')
  const apiKey = await server.newKey({ projectIds: [own] })
  const answer = await server.call('PUT', `/projects/${own}`, { body: { ExternalId: 'hidden-1' }, apiKey })
  expectProblem(answer, 'conflict')
  expect(answer.body.error.message).toContain('another project')
  expect(answer.body.error.message).not.toContain(`project ${hidden}`)
})
