import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newPerson, trySignIn } from '../src/accounts/identity/test-support/people.ts'
import { makeSample } from './support/media.ts'
import { request, startTestServer, type TestServer } from './support/test-server.ts'
import { waitFor } from './support/wait-for.ts'
import { startWebhookReceiver, type WebhookReceiver } from './support/webhook-receiver.ts'

let folder: string
let server: TestServer
let receiver: WebhookReceiver

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-logs-'))
  receiver = await startWebhookReceiver()
  server = await startTestServer({
    withWorker: true,
    environment: { ZOETROPE_LOG_LEVEL: 'trace', ZOETROPE_LOG_FILE: join(folder, 'zoetrope.log') },
  })
})

afterAll(async () => {
  await server.stop()
  await receiver.stop()
  await rm(folder, { recursive: true, force: true })
})

test('the log shows the whole path of an upload and contains none of its secrets', async () => {
  const hook = await server.call('POST', '/modules/notifications', {
    body: {
      TargetURL: receiver.url,
      EventTypes: ['*'],
      CustomHeaders: { 'X-Customer-Secret': 'customer-secret-value' },
    },
  })
  const project = await server.call('POST', '/projects', { body: { Name: 'Logs' } })
  const created = await server.call('POST', `/projects/${project.body.Id}/files`, {
    body: { FileName: 'clip.mp4' },
    headers: { 'X-Request-Id': 'create-the-file' },
  })
  const uploadUrl: string = created.body.Upload.URI
  await request(uploadUrl, 'PUT', { body: await makeSample({ seconds: 2 }) })
  await receiver.next('file.new')
  const playouts = await server.call('GET', `/projects/${project.body.Id}/files/${created.body.Id}/playouts`)
  const preview: string = playouts.body.Playouts[0].Preview.HLS
  expect((await request(preview, 'GET')).status).toBe(200)
  const key = await server.call('POST', '/apikeys', { body: { Label: 'logs' } })
  const invitation = await server.call('POST', '/invitations', {
    body: { Email: 'invited@example.com', Role: 'Reader' },
  })
  const person = await newPerson(server, { password: 'hidden apricot lantern seven' })
  await person.call('GET', '/session')
  await trySignIn(server, { ...person, password: 'wrong-password-value' })
  await server.call('GET', '/projects?token=query-secret-value', { apiKey: key.body.Token })
  await server.call('GET', '/projects', { apiKey: 'not.a.token-but-secret' })
  await server.call('POST', '/projects', {
    body: '{"Name": "broken-secret-value',
    headers: { 'Content-Type': 'application/json' },
  })

  const readLog = () => readFile(join(folder, 'zoetrope.log'), 'utf8')
  const log = await waitFor(readLog, (text) => text.includes('"file.process"'))
  for (const line of log.trim().split('\n')) expect(() => JSON.parse(line)).not.toThrow()
  expect(log).toContain('create-the-file')
  expect(log).toContain(`"fileId":${created.body.Id}`)

  const uploadToken = uploadUrl.split('/').at(-1) ?? ''
  const playoutToken = /\/s\/([^/]+)\//.exec(preview)?.[1] ?? ''
  const secrets = {
    'API key': server.apiKey,
    'signature of the API key': server.apiKey.split('.')[2] ?? '',
    'new API key': key.body.Token,
    password: person.password,
    'refused password': 'wrong-password-value',
    'session cookie': person.cookie.split('=')[1]?.split(';')[0] ?? '',
    'CSRF token': person.csrfToken,
    'invitation token': invitation.body.Token,
    'webhook secret': hook.body.Secret,
    'webhook custom header': 'customer-secret-value',
    'upload token': uploadToken,
    'playout token': playoutToken,
    'token in the query': 'query-secret-value',
    'refused token': 'not.a.token-but-secret',
    'body that was refused': 'broken-secret-value',
  }
  const leaked = Object.entries(secrets).filter(([, secret]) => secret === '' || log.includes(secret))
  expect(leaked).toEqual([])
})
