import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSecondNode, type SecondNode } from '../../../../test/support/second-node.ts'
import {
  request,
  startTestServer,
  type Answer,
  type TestServer,
} from '../../../../test/support/test-server.ts'

/** Two API servers share one database; each has its own caches. */
let server: TestServer
let second: SecondNode

beforeAll(async () => {
  server = await startTestServer()
  second = await startSecondNode(server)
})

afterAll(async () => {
  await second.stop()
  await server.stop()
})

const callOn = (url: string, method: string, path: string, body?: object): Promise<Answer> =>
  request(`${url}/v3${path}`, method, { apiKey: server.apiKey, ...(body === undefined ? {} : { body }) })

const newProject = async (): Promise<string> => {
  const { body } = await server.call('POST', '/projects', { body: { Name: 'Fresh' } })
  return `/projects/${body.Id}/files`
}

const idsIn = ({ body }: Answer): number[] => body.Files.map(({ Id }: { Id: number }) => Id)

/** Concurrent writers and readers alternate between the nodes, some in opposite order. */
const rounds = 12
const writers = [0, 1, 2, 3]

test('both nodes show every acknowledged change in the record and in every list at once', async () => {
  const path = await newProject()
  const write = async (writer: number): Promise<void> => {
    const created = await server.call('POST', path, { body: { FileName: `${writer}.mp4` } })
    const id = created.body.Id as number
    for (let round = 0; round < rounds; round += 1) {
      const nodes = (round + writer) % 2 === 0 ? [server.url, second.url] : [second.url, server.url]
      const [writing = '', reading = ''] = nodes
      const title = `Writer${writer} Round${round}x`
      const { body: written } = await callOn(writing, 'PUT', `${path}/${id}/metadata`, { Title: title })
      const reads = [
        callOn(reading, 'GET', path),
        callOn(reading, 'GET', `${path}?orderBy=title`),
        callOn(reading, 'GET', `${path}?search=writer${writer}%20round${round}x`),
        callOn(writing, 'GET', path),
      ]
      for (const { body } of await Promise.all(reads)) {
        expect(body.Files.find(({ Id }: { Id: number }) => Id === id)).toEqual(written)
        expect(body.TotalCount).toBe(body.Files.length)
      }
      expect((await callOn(reading, 'GET', `${path}/${id}`)).body).toEqual(written)
      const old = await callOn(reading, 'GET', `${path}?search=writer${writer}%20round${round - 1}x`)
      expect(idsIn(old)).toEqual([])
    }
  }
  await Promise.all(writers.map(write))
})

test('both nodes count every created or deleted file in every list at once', async () => {
  const path = await newProject()
  const comeAndGo = async (writer: number): Promise<void> => {
    for (let round = 0; round < rounds; round += 1) {
      const nodes = (round + writer) % 2 === 0 ? [server.url, second.url] : [second.url, server.url]
      const [writing = '', reading = ''] = nodes
      const { body } = await callOn(writing, 'POST', path, { FileName: `${writer}.mp4` })
      expect(idsIn(await callOn(reading, 'GET', `${path}?limit=500`))).toContain(body.Id)
      expect(idsIn(await callOn(reading, 'GET', `${path}?status=created&sort=asc&limit=500`))).toContain(
        body.Id,
      )
      await callOn(reading, 'DELETE', `${path}/${body.Id}`)
      expect(idsIn(await callOn(writing, 'GET', `${path}?limit=500`))).not.toContain(body.Id)
      expect(idsIn(await callOn(writing, 'GET', `${path}?status=created&sort=asc&limit=500`))).not.toContain(
        body.Id,
      )
      expect(idsIn(await callOn(writing, 'GET', `${path}?includeDeleted=true&limit=500`))).toContain(body.Id)
      expect((await callOn(writing, 'GET', `${path}/${body.Id}`)).status).toBe(404)
    }
  }
  await Promise.all(writers.map(comeAndGo))
  expect((await callOn(second.url, 'GET', path)).body).toMatchObject({ Files: [], TotalCount: 0 })
})

test('both nodes show a moved file at once in its new project, and nowhere else', async () => {
  const paths = [await newProject(), await newProject()] as const
  const { body: created } = await server.call('POST', paths[0], { body: { FileName: 'a.mp4' } })
  const id = created.Id as number
  await server.services.database.kysely
    .updateTable('media_files')
    .set({ state: 'failed' })
    .where('id', '=', id)
    .execute()
  for (let round = 0; round < rounds; round += 1) {
    const [from, to] = round % 2 === 0 ? paths : ([paths[1], paths[0]] as const)
    const [moving, reading] = round % 4 < 2 ? [server.url, second.url] : [second.url, server.url]
    for (const url of [moving, reading]) {
      expect((await callOn(url, 'GET', `${from}/${id}`)).status).toBe(200)
      expect(idsIn(await callOn(url, 'GET', to))).toEqual([])
    }
    const ProjectId = Number(to.split('/')[2])
    expect((await callOn(moving, 'POST', `${from}/${id}/move`, { ProjectId })).status).toBe(200)
    for (const url of [reading, moving]) {
      expect((await callOn(url, 'GET', `${to}/${id}`)).status).toBe(200)
      expect((await callOn(url, 'GET', `${from}/${id}`)).status).toBe(404)
      expect(idsIn(await callOn(url, 'GET', to))).toEqual([id])
      expect(idsIn(await callOn(url, 'GET', from))).toEqual([])
    }
  }
})

test('readers never see part of a transaction, nor any change of a rolled-back one', async () => {
  const path = await newProject()
  const ids: number[] = []
  for (let index = 0; index < 3; index += 1)
    ids.push((await server.call('POST', path, { body: { FileName: `${index}.mp4` } })).body.Id)
  const releaseStatusesOf = async (url: string) =>
    new Set(
      (await callOn(url, 'GET', path)).body.Files.map(
        ({ Metadata }: { Metadata: { ReleaseStatus: string } }) => Metadata.ReleaseStatus,
      ),
    )
  let isOver = false
  const readOn = async (url: string): Promise<void> => {
    while (!isOver) {
      const found = await callOn(url, 'GET', `${path}?releaseStatus=draft`)
      expect([0, 3]).toContain(found.body.TotalCount)
      expect(found.body.Files).toHaveLength(found.body.TotalCount)
    }
  }
  const readers = [readOn(server.url), readOn(second.url)]
  for (let round = 0; round < 20; round += 1) {
    const status = round % 2 === 0 ? 'draft' : 'unpublished'
    await server.services.database
      .transaction(async (tx) => {
        for (const id of ids)
          await sql`update media_files set metadata = metadata || ${`{"ReleaseStatus":"${status}"}`}::jsonb, version = version + 1 where id = ${id}`.execute(
            tx,
          )
        if (round % 4 > 1) throw new Error('taken back')
      })
      .catch(() => {})
  }
  isOver = true
  await Promise.all(readers)
  expect((await releaseStatusesOf(second.url)).size).toBe(1)
})
