import { Agent, request as send } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSecondNode } from '../../../test/support/second-node.ts'
import { request, startTestServer, type TestServer } from '../../../test/support/test-server.ts'
import { waitFor } from '../../../test/support/wait-for.ts'

const probeMs = 50
let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ environment: { ZOETROPE_STOP_DELAY_SECONDS: '1' } })
})

afterAll(() => server.stop())

/** Sends one request on a kept-alive connection of the balancer. */
const forward = (agent: Agent, url: string): Promise<number> =>
  new Promise((resolve, reject) => {
    send(url, { agent, headers: { Authorization: `Bearer ${server.apiKey}` } }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode ?? 0))
      answer.once('error', reject)
    })
      .once('error', reject)
      .end()
  })

test('no request of a balancer fails while a node behind it stops, and kept-alive connections move', async () => {
  const second = await startSecondNode(server)
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  let nodes = [server.url, second.url]
  const served: Record<string, number> = {}
  const failures: unknown[] = []
  let isOver = false

  const probe = async (): Promise<void> => {
    while (!isOver) {
      const checks = await Promise.all(
        [server.url, second.url].map(async (url) => {
          const answer = await request(`${url}/readyz`, 'GET').catch(() => null)
          return answer?.status === 200 ? [url] : []
        }),
      )
      nodes = checks.flat()
      await delay(probeMs)
    }
  }
  const load = async (first: number): Promise<void> => {
    for (let turn = first; !isOver; turn += 1) {
      const node = nodes[turn % nodes.length] ?? ''
      const status = await forward(agent, `${node}/v3/projects`).catch((error: unknown) => error)
      if (status !== 200) failures.push(status)
      served[node] = (served[node] ?? 0) + 1
    }
  }
  const running = [probe(), ...[0, 1, 2, 3].map(load)]
  await waitFor(
    async () => served,
    (counts) => (counts[second.url] ?? 0) > 20,
  )

  const stopping = second.stop()
  const answer = await waitFor(
    () => request(`${second.url}/readyz`, 'GET'),
    ({ status }) => status === 503,
  )
  expect(answer.body).toMatchObject({
    status: 'stopping',
    Reads: 'unavailable: the process is stopping',
    error: { reason: 'server_stopping' },
  })
  const late = await fetch(`${second.url}/healthz`)
  expect([late.status, late.headers.get('connection')]).toEqual([200, 'close'])
  await stopping
  const before = served[server.url] ?? 0
  await waitFor(
    async () => served,
    (counts) => (counts[server.url] ?? 0) > before + 20,
  )
  isOver = true
  await Promise.all(running)
  agent.destroy()
  expect(failures).toEqual([])
})
