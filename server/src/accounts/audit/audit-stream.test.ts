import { text as readText } from 'node:stream/consumers'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { request, startTestServer, type TestServer } from '../../../test/support/test-server.ts'
import { openConnection } from '../../platform/db/driver/connection.ts'
import { expectProblem } from '../../platform/http/test-support/expect-problem.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})

afterAll(() => server.stop())

interface Entry {
  readonly Id: number
  readonly Action: string
  readonly SubjectId: string
}

/** Reads an NDJSON response line by line; `rest` resolves when the server ends it. */
const openStream = async (query: string, apiKey = server.apiKey) => {
  const aborting = new AbortController()
  const response = await fetch(`${server.url}/v3/audit/stream?${query}`, {
    headers: { Authorization: `Bearer ${apiKey}` },
    signal: aborting.signal,
  })
  const body = response.body?.pipeThrough(new TextDecoderStream())
  const reader = (body as ReadableStream<string>).getReader()
  const lines: string[] = []
  let tail = ''
  const next = async (): Promise<Entry | null> => {
    for (;;) {
      const line = lines.shift()
      if (line !== undefined && line !== '') return JSON.parse(line) as Entry
      if (line === '') continue
      const { done, value } = await reader.read()
      if (done) return null
      const parts = (tail + value).split('\n')
      tail = parts.pop() ?? ''
      lines.push(...parts)
    }
  }
  const rest = async (): Promise<Entry[]> => {
    const entries: Entry[] = []
    for (let entry = await next(); entry !== null; entry = await next()) entries.push(entry)
    return entries
  }
  return { response, next, rest, close: () => aborting.abort() }
}

const createCategory = async (name: string): Promise<string> =>
  String((await server.call('POST', '/modules/categories', { body: { Label: name } })).body.Id)

const lastId = async (): Promise<number> =>
  (await server.call('GET', '/audit?limit=1')).body.AuditEntries[0]?.Id ?? 0

describe('the stream of the audit log', () => {
  test('returns all entries oldest first, as the list does, by filter and after an entry', async () => {
    await createCategory('One')
    await server.services.database.kysely
      .insertInto('audit_entries')
      .columns(['account_id', 'action', 'address', 'request_id', 'subject', 'subject_id'])
      .expression(
        sql`select id, 'category.updated', '', '', 'Category', n::text from accounts, generate_series(1, 450) n` as never,
      )
      .execute()
    await createCategory('Two')
    const { response, rest } = await openStream('')
    expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-store')
    const all = await rest()
    const { body: page } = await server.call('GET', '/audit?limit=500&sort=asc')
    expect(page.AuditEntries.length).toBeGreaterThan(451)
    expect(all).toEqual(page.AuditEntries)

    const created = await (await openStream('action=category.created')).rest()
    expect(created.map(({ Action }) => Action)).toEqual(['category.created', 'category.created'])
    const after = await (await openStream(`after=${created[0]?.Id}&subject=Category`)).rest()
    expect(after).toHaveLength(451)
    expect(after.at(-1)).toEqual(created[1])
  })

  test('follows the log and misses no entry that a slower transaction commits later', async () => {
    const { database } = server.services
    const stream = await openStream(`after=${await lastId()}&follow=true&subject=Category`)
    const first = await createCategory('Followed')
    expect(await stream.next()).toMatchObject({ Action: 'category.created', SubjectId: first })
    const slow = await openConnection(database.connection)
    await slow.query(`
      begin;
      insert into audit_entries (account_id, action, address, request_id, subject, subject_id)
      select id, 'category.updated', '', '', 'Category', 'slow' from accounts`)
    const second = await createCategory('Overtaking')
    await slow.query('commit')
    slow.discard()
    expect(await stream.next()).toMatchObject({ SubjectId: 'slow' })
    expect(await stream.next()).toMatchObject({ SubjectId: second })
    stream.close()
  })

  test('ends when its key is revoked', async () => {
    const { body: key } = await server.call('POST', '/apikeys', {
      body: { Label: 'audit', Scopes: ['audit:read'] },
    })
    const stream = await openStream(`after=${await lastId()}&follow=true&action=category.*`, key.Token)
    expect(stream.response.status).toBe(200)
    await server.call('DELETE', `/apikeys/${key.Id}`)
    expect(await stream.rest()).toEqual([])
  })

  test('shows each account its own entries, and refuses keys without the permission or of a project', async () => {
    const stranger = await server.newKey({ inNewAccount: true })
    expect(await (await openStream('', stranger)).rest()).toEqual([])
    const editor = await server.newKey({ role: 'SeniorEditor' })
    expectProblem(await server.call('GET', '/audit/stream', { apiKey: editor }), 'forbidden')
    const { body: project } = await server.call('POST', '/projects', { body: { Name: 'A' } })
    const narrow = await server.newKey({ projectIds: [project.Id] })
    expectProblem(await server.call('GET', '/audit/stream', { apiKey: narrow }), 'forbidden')
  })

  test.each(['after=0', 'after=x', 'after=1.5', 'follow=maybe', 'action=nonsense'])(
    'answers 400 for %s',
    async (query) => {
      expectProblem(await server.call('GET', `/audit/stream?${query}`), 'invalid')
    },
  )

  test('answers 429 for the sixth stream of a key at a time', async () => {
    const apiKey = await server.newKey()
    const streams = await Promise.all(
      Array.from({ length: 5 }, () => openStream('follow=true&action=category.deleted', apiKey)),
    )
    const sixth = await request(`${server.url}/v3/audit/stream`, 'GET', { apiKey })
    expectProblem(sixth, 'rate_limited')
    expect(sixth.headers.get('retry-after')).toBe('10')
    for (const stream of streams) stream.close()
  })

  test('ends in order when the server stops', async () => {
    const other = await startTestServer()
    const response = await fetch(`${other.url}/v3/audit/stream?follow=true`, {
      headers: { Authorization: `Bearer ${other.apiKey}` },
    })
    const ended = readText(response.body as never)
    await other.stop()
    expect((await ended).endsWith('\n')).toBe(true)
  })
})
