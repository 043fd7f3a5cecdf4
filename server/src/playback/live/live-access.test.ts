import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../test/support/test-server.ts'
import { createLiveAccess, refusalOf, type LiveStreamFacts } from './live-access.ts'
import { makeLiveStream } from '../test-support/live-stream.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})

afterAll(() => server.stop())

const watchDatabase = () => {
  const watched = {
    asked: 0,
    isAway: false,
    get kysely() {
      watched.asked++
      if (watched.isAway) throw new Error('the database is away')
      return server.services.database.kysely
    },
  }
  return watched
}

const openAccess = () => {
  const database = watchDatabase()
  const clock = { nowMs: Date.now() }
  const access = createLiveAccess(database, server.services.tokens, () => clock.nowMs)
  return { database, clock, access }
}

test('requests for a stream within a second share one query, and changes apply after it', async () => {
  const { database, clock, access } = openAccess()
  const stream = await makeLiveStream(server)
  const answers = await Promise.all(Array.from({ length: 50 }, async () => access.factsOf(stream.playoutId)))
  expect(new Set(answers).size).toBe(1)
  expect(answers[0]).toMatchObject({ title: 'Town hall', releaseStatus: 'published', node: null })
  expect(database.asked).toBe(1)
  await stream.write({ release_status: 'unpublished' })
  clock.nowMs += 600
  expect(access.factsOf(stream.playoutId)).toBe(answers[0])
  expect(database.asked).toBe(1)
  clock.nowMs += 401
  expect(await access.factsOf(stream.playoutId)).toMatchObject({ releaseStatus: 'unpublished' })
  expect(database.asked).toBe(2)
})

test('the facts of a watched stream are refreshed before they expire', async () => {
  const { database, clock, access } = openAccess()
  const { playoutId } = await makeLiveStream(server)
  const facts = await access.factsOf(playoutId)
  clock.nowMs += 800
  expect(access.factsOf(playoutId)).toBe(facts)
  expect(access.factsOf(playoutId)).toBe(facts)
  await expect.poll(() => access.factsOf(playoutId)).not.toBe(facts)
  expect(database.asked).toBe(2)
})

test('known streams stay available for a minute while the database is down, and unknown ones throw', async () => {
  const { database, clock, access } = openAccess()
  const { playoutId } = await makeLiveStream(server)
  const facts = await access.factsOf(playoutId)
  database.isAway = true
  clock.nowMs += 30_000
  expect(await access.factsOf(playoutId)).toBe(facts)
  expect(access.factsOf(playoutId)).toBe(facts)
  await expect(access.factsOf(randomUUID())).rejects.toThrow()
  clock.nowMs += 31_000
  await expect(access.factsOf(playoutId)).rejects.toThrow()
  database.isAway = false
  expect(await access.factsOf(playoutId)).toEqual(facts)
})

test('streams of a deleted project and unknown ids have no facts', async () => {
  const { access } = openAccess()
  const { playoutId, projectId } = await makeLiveStream(server)
  await server.call('DELETE', `/projects/${projectId}`)
  expect(await access.factsOf(playoutId)).toBeNull()
  expect(await access.factsOf(randomUUID())).toBeNull()
  expect(access.factsOf('x')).toBeNull()
})

test('a node that has been silent for ten seconds is ignored', async () => {
  const { kysely } = server.services.database
  const { access, clock } = openAccess()
  const stream = await makeLiveStream(server)
  const id = randomUUID()
  await kysely
    .insertInto('live_nodes')
    .values({ id, url: 'http://192.0.2.1', public_url: null, disk: id })
    .execute()
  await stream.write({ node_id: id, epoch: 4 })
  expect(await access.factsOf(stream.playoutId)).toMatchObject({
    epoch: 4,
    node: { id, url: 'http://192.0.2.1', publicUrl: null },
  })
  await kysely
    .updateTable('live_nodes')
    .set({ seen_at: new Date(Date.now() - 11_000) })
    .where('id', '=', id)
    .execute()
  clock.nowMs += 1_001
  expect(await access.factsOf(stream.playoutId)).toMatchObject({ node: null })
})

test('tokens are valid only for their stream', () => {
  const { access, clock } = openAccess()
  const { tokens } = server.services
  const playoutId = randomUUID()
  const token = tokens.issueViewer(playoutId, new Date(clock.nowMs + 60_000))
  expect(access.grantOf(playoutId, token)).toBe('viewer')
  expect(access.grantOf(playoutId, tokens.issuePreview(playoutId, new Date(clock.nowMs + 60_000)))).toBe(
    'preview',
  )
  expect(access.grantOf(playoutId, null)).toBeNull()
  expect(() => access.grantOf(randomUUID(), token)).toThrow(/expired or is not valid/)
  expect(() => access.grantOf(playoutId, `${token}x`)).toThrow(/expired or is not valid/)
})

test('refusalOf decides by token, release status and isEnabled', () => {
  const facts: LiveStreamFacts = {
    title: '',
    boardText: '',
    endedText: '',
    hasPoster: false,
    state: 'online',
    isEnabled: true,
    isLowLatency: true,
    releaseStatus: 'published',
    needsToken: false,
    allowedDomains: [],
    playerColor: null,
    playerLogo: null,
    onlineSince: null,
    epoch: 0,
    node: null,
  }
  const table: [Partial<LiveStreamFacts>, Record<'none' | 'viewer' | 'preview', string | undefined>][] = [
    [{}, { none: undefined, viewer: undefined, preview: undefined }],
    [{ needsToken: true }, { none: 'forbidden', viewer: undefined, preview: undefined }],
    [{ releaseStatus: 'draft' }, { none: 'not_found', viewer: 'not_found', preview: undefined }],
    [{ isEnabled: false }, { none: 'not_found', viewer: 'not_found', preview: 'not_found' }],
  ]
  for (const [change, expected] of table)
    for (const [grant, code] of Object.entries(expected))
      expect(refusalOf({ ...facts, ...change }, grant === 'none' ? null : (grant as 'viewer'))?.code).toBe(
        code,
      )
  expect(refusalOf(null, 'preview')?.code).toBe('not_found')
})
