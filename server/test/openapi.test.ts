import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeSample } from './support/media.ts'
import { request, startTestServer, type TestServer } from './support/test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ withWorker: true })
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

const folder = fileURLToPath(new URL('..', import.meta.url))

/** Runs a command line tool of a package; answers what it printed, whatever it thinks of the document. */
const run = async (tool: string, args: readonly string[], cwd = folder): Promise<string> => {
  const program = createRequire(import.meta.url).resolve(tool)
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], {
    cwd,
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  }).catch((error: unknown) => error as { stdout: string })
  return stdout
}

const redocly = '@redocly/cli/bin/cli.js'

test('openapi.json passes the strict rules of Redocly', async () => {
  const printed = await run(redocly, ['lint', 'openapi.json', '--config', 'redocly.yaml', '--format', 'json'])
  expect(JSON.parse(printed).problems).toEqual([])
})

test('openapi.json passes the rules of Spectral and of OWASP, warnings too, but for those that openapi.spectral.yaml argues away', async () => {
  const printed = await run('@stoplight/spectral-cli/dist/index.js', [
    'lint',
    'openapi.json',
    '--ruleset',
    'openapi.spectral.yaml',
    '--format',
    'json',
  ])
  expect(JSON.parse(printed)).toEqual([])
})

test('the workflow of upload-to-playlist.arazzo.yaml runs against the server, every answer as openapi.json says', async () => {
  const workflows = await mkdtemp(join(tmpdir(), 'zoetrope-arazzo-'))
  for (const name of ['openapi.json', 'upload-to-playlist.arazzo.yaml', 'redocly.yaml'])
    await copyFile(join(folder, name), join(workflows, name))
  await writeFile(join(workflows, 'sample.mp4'), await makeSample({ seconds: 4 }))
  const printed = await run(
    redocly,
    [
      'respect',
      'upload-to-playlist.arazzo.yaml',
      '--input',
      `apiKey=${server.apiKey}`,
      '--server',
      `zoetrope=${server.url}`,
      '--json-output',
      'report.json',
    ],
    workflows,
  )
  const report = JSON.parse(await readFile(join(workflows, 'report.json'), 'utf8'))
  await rm(workflows, { recursive: true })
  expect(report.status, printed).toBe('success')
  const [{ executedSteps }] = report.files['upload-to-playlist.arazzo.yaml'].executedWorkflows
  expect(executedSteps.length).toBeGreaterThanOrEqual(10)
})
