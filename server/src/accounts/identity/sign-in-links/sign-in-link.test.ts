import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import { expectProblem } from '../../../platform/http/test-support/expect-problem.ts'
import { keepHouse } from '../../../platform/jobs/housekeeping.ts'
import { identityHousekeeping } from '../housekeeping.ts'
import { newPerson } from '../test-support/people.ts'
import { createSignInLink } from './sign-in-links.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ environment: { ZOETROPE_SIGN_INS_PER_MINUTE: '0' } })
})

afterAll(() => server.stop())

const newToken = async (): Promise<string> => {
  const link = await createSignInLink(server.services.database, server.url)
  expect(link).toMatch(/\/console\/signin#[A-Za-z0-9_-]{43}$/)
  return new URL(link ?? '').hash.slice(1)
}

const open = (Token: string, headers: Record<string, string> = {}) =>
  server.call('POST', '/session/link', { apiKey: null, body: { Token }, headers })

test('the first sign-in of the first administrator deletes the file with the first credentials', async () => {
  const path = join(server.dataFolder, 'initial-credentials.json')
  const exists = () => readFile(path, 'utf8').then(Boolean, () => false)
  await writeFile(
    path,
    JSON.stringify({ Email: 'admin@zoetrope.local', Password: 'written at the first start' }),
  )
  await newPerson(server)
  expectProblem(await open('unknown'), 'not_found')
  expect(await exists()).toBe(true)
  expect((await open(await newToken())).status).toBe(201)
  expect(await exists()).toBe(false)
})

test('the link in the terminal signs the first administrator in once, and the audit log records it', async () => {
  const token = await newToken()
  const rows = await server.services.database.kysely.selectFrom('sign_in_links').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain(token)
  const answer = await open(token)
  expect(answer).toMatchObject({
    status: 201,
    body: { User: { Email: 'admin@zoetrope.local' }, ApiKey: null },
  })
  expect(answer.headers.getSetCookie()[0]).toContain('HttpOnly')
  expectProblem(await open(token), 'not_found')
  const { body } = await server.call('GET', '/audit?action=session.started&limit=1')
  expect(body.AuditEntries[0]).toMatchObject({
    SubjectId: answer.body.Session.Id,
    Changes: [{ Field: 'SignInLink', After: 'terminal' }],
  })
})

test('only one of many concurrent requests with a link is signed in', async () => {
  const token = await newToken()
  const answers = await Promise.all(Array.from({ length: 8 }, () => open(token)))
  expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['201', ...Array(7).fill('404')])
})

test('a page of another site opens no link, and the link stays valid', async () => {
  const token = await newToken()
  expectProblem(await open(token, { Origin: 'https://evil.example.com' }), 'forbidden')
  expect((await open(token)).status).toBe(201)
})

test('a new start revokes the previous link; a link expires after ten minutes and is deleted', async () => {
  const before = await newToken()
  const token = await newToken()
  expectProblem(await open(before), 'not_found')
  await server.services.database.sql`update sign_in_links set expires_at = now()`
  expectProblem(await open(token), 'not_found')
  await keepHouse(identityHousekeeping(server.services.database, server.services.config))
  expect(await server.services.database.kysely.selectFrom('sign_in_links').selectAll().execute()).toEqual([])
})

test.each(['a', 'ü🎬', 'a'.repeat(100)])('malformed tokens open nothing: %j', async (token) => {
  expectProblem(await open(token), 'not_found')
})

test('a user who is disabled, or no longer an Administrator, is not signed in by a link, and gets no new one', async () => {
  const { database } = server.services
  const { sql } = database
  const changes = [
    () => sql`update users set is_enabled = false where id = (select min(id) from users)`,
    () => sql`update users set is_enabled = true, role = 'Reader' where id = (select min(id) from users)`,
  ]
  for (const change of changes) {
    await sql`update users set is_enabled = true, role = 'Administrator' where id = (select min(id) from users)`
    const token = await newToken()
    await change()
    expectProblem(await open(token), 'not_found')
    expect(await createSignInLink(database, server.url)).toBeNull()
  }
})
