import { verify } from '@zoetrope/webhook-signature'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startCuttingProxy } from '../../../server/test/support/cutting-proxy.ts'
import { findFreePort } from '../../../server/test/support/free-port.ts'
import { startTestServer, type TestServer } from '../../../server/test/support/test-server.ts'
import { waitFor } from '../../../server/test/support/wait-for.ts'
import {
  startWebhookReceiver,
  type Received,
  type WebhookReceiver,
} from '../../../server/test/support/webhook-receiver.ts'
import { startCommand, type RunningCommand } from '../test-support/running-command.ts'

let server: TestServer
let receiver: WebhookReceiver
const commands: RunningCommand[] = []

beforeAll(async () => {
  receiver = await startWebhookReceiver()
  server = await startTestServer({ withWorker: true })
})

afterAll(async () => {
  await Promise.all(commands.map((command) => command.end('SIGKILL')))
  await server.stop()
  await receiver.stop()
})

const start = (words: readonly string[], apiBase = server.url): RunningCommand => {
  const command = startCommand(['webhooks', 'listen', ...words], {
    ZOETROPE_API_BASE: apiBase,
    ZOETROPE_API_KEY: server.apiKey,
  })
  commands.push(command)
  return command
}

const listen = async (words: readonly string[], apiBase?: string): Promise<RunningCommand> => {
  const command = start(words, apiBase)
  await command.line(/events after|"After"/)
  return command
}

const newProject = async (name: string): Promise<number> =>
  (await server.call('POST', '/projects', { body: { Name: name } })).body.Id

/**
 * Headers that may differ: sender, time, and the values derived from them. The event stream does not carry the
 * id of the request that led to an event.
 */
const own = [
  'host',
  'connection',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
  'zoetrope-request-id',
]
const headersOf = ({ headers }: Received) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !own.includes(name)))

test('a forwarded event equals the webhook request in query, headers and body', async () => {
  const target = await startWebhookReceiver()
  const projectId = await newProject('Compared – ü')
  await server.call('POST', '/modules/notifications', {
    body: { TargetURL: `${receiver.url}?from=here`, EventTypes: ['*'], ProjectId: projectId },
  })
  const command = await listen(['--forward-to', `${target.url}?from=here`, '--project', String(projectId)])
  await server.call('POST', `/projects/${projectId}/files`, { body: { FileName: 'a "b" é🎬.mp4' } })
  await server.call('PUT', `/projects/${projectId}`, { body: { Description: 'Line\nline' } })
  for (const name of ['file.created', 'project.updated']) {
    const [real, forwarded] = await Promise.all([receiver.next(name), target.next(name)])
    expect(forwarded.body).toBe(real.body)
    expect(forwarded.query.toString()).toBe(real.query.toString())
    expect(headersOf(forwarded)).toEqual(headersOf(real))
    const [{ EventId: eventId }] = JSON.parse(real.body) as [{ EventId: number }]
    expect(forwarded.headers['webhook-id']).toBe(`evt_${eventId}_0`)
    expect(await command.line(new RegExp(`#${eventId} .*${name} `))).toMatch(/ 200 {2}\d+ ms$/)
  }
  const secret = (await command.line(/^Secret whsec_/)).slice('Secret '.length)
  const { headers, body } = await target.next('file.created')
  expect(() => verify({ headers, body, secrets: [secret] })).not.toThrow()
  await target.stop()
})

test('no event is lost or repeated across broken connections', async () => {
  const port = await findFreePort()
  const proxy = await startCuttingProxy(port, Number(new URL(server.url).port))
  const target = await startWebhookReceiver()
  const projectId = await newProject('Cut')
  const words = ['--forward-to', target.url, '--events', 'project.*', '--project', String(projectId)]
  await listen(words, `http://127.0.0.1:${port}`)
  const received = async () => target.received.map(({ event }) => event.Project.Description)
  const expected: string[] = []
  for (let round = 0; round < 3; round += 1) {
    for (let change = 0; change < 4; change += 1) {
      expected.push(`${round}.${change}`)
      await server.call('PUT', `/projects/${projectId}`, { body: { Description: `${round}.${change}` } })
      if (change === 1) proxy.cutAll()
    }
    await waitFor(received, (all) => all.length >= expected.length)
  }
  expect(await received()).toEqual(expected)
  await Promise.all([proxy.close(), target.stop()])
})

test('--after and the same secret resume where another run ended', async () => {
  const target = await startWebhookReceiver()
  const projectId = await newProject('Resumed')
  const secret = 'a secret of my own choice'
  const words = ['--forward-to', target.url, '--project', String(projectId), '--secret', secret, '--json']
  const first = await listen(words)
  await server.call('PUT', `/projects/${projectId}`, { body: { Description: 'first' } })
  const updated = JSON.parse(await first.line(/project.updated/)) as { EventId: number }
  expect(updated).toEqual({
    EventId: expect.any(Number),
    Event: 'project.updated',
    Status: 200,
    Error: null,
    DurationMs: expect.any(Number),
  })
  expect(await first.end()).toBe('SIGINT')
  await server.call('DELETE', `/projects/${projectId}`)
  await listen([...words, '--after', String(updated.EventId)])
  const { headers, body } = await target.next('project.deleted')
  expect(() => verify({ headers, body, secrets: [secret] })).not.toThrow()
  expect(target.received.map(({ event }) => event.Event)).toEqual(['project.updated', 'project.deleted'])
  await target.stop()
})

test('an unreachable receiver is reported, and the next event is still sent', async () => {
  const nowhere = await findFreePort()
  const projectId = await newProject('Away')
  const command = await listen([
    '--forward-to',
    `http://127.0.0.1:${nowhere}/`,
    '--project',
    String(projectId),
  ])
  await server.call('PUT', `/projects/${projectId}`, { body: { Description: 'one' } })
  await server.call('DELETE', `/projects/${projectId}`)
  expect(await command.line(/project\.updated/)).toMatch(/ECONNREFUSED {2}\d+ ms$/)
  expect(await command.line(/project\.deleted/)).toMatch(/ECONNREFUSED {2}\d+ ms$/)
})

test('without a receiver it prints the events, in full with --json', async () => {
  const projectId = await newProject('Shown')
  const whole = start(['--project', String(projectId), '--json', '--after', '0'])
  const short = await listen(['--project', String(projectId)])
  await server.call('PUT', `/projects/${projectId}`, { body: { Description: 'new' } })
  expect(await short.line(/project\.updated/)).toMatch(
    new RegExp(`^\\d\\d:\\d\\d:\\d\\d  #\\d+ +project\\.updated project ${projectId}$`),
  )
  const events = (await server.call('GET', `/events?after=0&projectId=${projectId}`)).body.Events as object[]
  await whole.line(/project\.updated/)
  expect(whole.lines.map((line) => JSON.parse(line) as unknown)).toEqual(events)
})
