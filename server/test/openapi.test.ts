import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { request, startTestServer, type TestServer } from './support/test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})

afterAll(async () => {
  await server.stop()
})

test('the committed openapi.json is what the server answers (npm run openapi writes it)', async () => {
  const committed = JSON.parse(await readFile(new URL('../openapi.json', import.meta.url), 'utf8')) as object
  const { status, body } = await request(`${server.url}/v3/openapi.json`, 'GET')
  expect(status).toBe(200)
  expect({ ...body, servers: [] }).toEqual({ ...committed, servers: [] })
})

test('openapi.json passes the strict rules of Redocly', async () => {
  const redocly = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js')
  const folder = fileURLToPath(new URL('..', import.meta.url))
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [redocly, 'lint', 'openapi.json', '--config', 'redocly.yaml', '--format', 'json'],
    {
      cwd: folder,
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    },
  )
  expect(JSON.parse(stdout).problems).toEqual([])
})
