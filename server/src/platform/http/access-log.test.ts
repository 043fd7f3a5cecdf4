import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { request, startTestServer, type TestServer } from '../../../test/support/test-server.ts'
import { waitFor } from '../../../test/support/wait-for.ts'

let folder: string
let server: TestServer
let quiet: TestServer

const start = (name: string, environment: Record<string, string>) =>
  startTestServer({
    environment: { ZOETROPE_LOG_LEVEL: 'info', ZOETROPE_LOG_FILE: join(folder, name), ...environment },
  })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-access-'))
  server = await start('access.log', { ZOETROPE_ACCESS_LOG: '1' })
  quiet = await start('quiet.log', {})
})

afterAll(async () => {
  await server.stop()
  await quiet.stop()
  await rm(folder, { recursive: true, force: true })
})

const linesOf = async (name: string, requestId: string) =>
  (await readFile(join(folder, name), 'utf8').catch(() => ''))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
    .filter((line) => line.requestId === requestId)

const lineOf = async (requestId: string) => {
  const lines = await waitFor(
    () => linesOf('access.log', requestId),
    ({ length }) => length > 0,
  )
  expect(lines).toHaveLength(1)
  return lines[0]
}

test('logs one line per request with its caller, status, duration and size', async () => {
  const answer = await server.call('GET', '/projects?limit=5', { headers: { 'X-Request-Id': 'list-them' } })
  const line = await lineOf('list-them')
  expect(line).toMatchObject({
    level: 'info',
    msg: 'request',
    method: 'GET',
    route: '/v3/projects',
    path: '/v3/projects',
    status: 200,
    isComplete: true,
    ip: '127.0.0.1',
    accountId: 1,
    userId: 1,
  })
  expect(line.keyId).toMatch(/^[\da-f-]{36}$/)
  expect(line.durationMs).toBeGreaterThan(0)
  expect(line.durationMs).toBeLessThan(60_000)
  // The size includes the headers.
  expect(line.bytes).toBeGreaterThan(JSON.stringify(answer.body).length)
  expect(line.bytes).toBeLessThan(JSON.stringify(answer.body).length + 2_000)
})

test('logs refused requests too, each with its own bytes on a kept-alive connection', async () => {
  const headers = (id: string) => ({ 'X-Request-Id': id })
  await server.call('GET', '/projects', { apiKey: null, headers: headers('no-key') })
  await request(`${server.url}/nothing/here`, 'GET', { headers: headers('no-route') })
  for (const id of ['small-1', 'small-2', 'small-3'])
    await request(`${server.url}/healthz`, 'GET', { headers: headers(id) })
  expect(await lineOf('no-key')).toMatchObject({ status: 401, route: '/v3/projects' })
  expect(await lineOf('no-key')).not.toHaveProperty('accountId')
  expect(await lineOf('no-route')).toMatchObject({ status: 404, route: null, path: '/nothing/here' })
  for (const id of ['small-1', 'small-2', 'small-3']) expect((await lineOf(id)).bytes).toBeLessThan(1_500)
})

test('logs no token of a path or a query', async () => {
  const token = 'very-secret-token-value'
  const paths = [
    `/uploads/${token}`,
    `/s/${token}/v/x`,
    `/v3/projects?token=${token}`,
    `/sub/uploads/${token}`,
  ]
  for (const [index, path] of paths.entries())
    await request(server.url + path, 'GET', { headers: { 'X-Request-Id': `secret-${index}` } })
  for (const index of paths.keys()) await lineOf(`secret-${index}`)
  expect(await readFile(join(folder, 'access.log'), 'utf8')).not.toContain(token)
})

test('a server without the setting logs no requests', async () => {
  await quiet.call('GET', '/projects', { headers: { 'X-Request-Id': 'unheard' } })
  await quiet.stop()
  expect(await linesOf('quiet.log', 'unheard')).toEqual([])
  quiet = await start('quiet.log', {})
})
