import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findFreePort } from '../support/free-port.ts'
import { findPairPrograms, startPostgresPair, type PostgresPair } from '../support/postgres-pair.ts'
import { startProduct, type Product } from '../support/product.ts'
import { request } from '../support/test-server.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts'
import { longestWaitMs, waitFor } from '../support/wait-for.ts'

const programs = await findPairPrograms()

describe.skipIf(programs === null)('With a standby (apt-get install postgresql haproxy)', () => {
  let folder: string
  let pair: PostgresPair
  let product: Product
  let receiver: WebhookReceiver

  beforeAll(async () => {
    if (programs === null) return
    folder = await mkdtemp(join(tmpdir(), 'zoetrope-failover-'))
    pair = await startPostgresPair(programs, folder)
    receiver = await startWebhookReceiver()
    product = await startProduct(join(folder, 'data'), await findFreePort(), { DATABASE_URL: pair.url })
  })

  afterAll(async () => {
    await product.kill()
    await receiver.stop()
    await pair.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const call = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    request(`${product.url}/v3${path}`, method, {
      apiKey: product.apiKey,
      headers,
      ...(body === undefined ? {} : { body }),
    })

  /** The worker starts last. A process that loses the database during its start ends, and is restarted. */
  const untilWorkerRuns = async (): Promise<void> => {
    const project = await call('POST', '/projects', { Name: 'Before the failover' })
    const path = `/projects/${project.body.Id}/files`
    const file = await call('POST', path, { FileName: 'broken.mp4' })
    await request(file.body.Upload.URI, 'PUT', { body: 'no film at all' })
    await waitFor(
      async () => (await call('GET', `${path}/${file.body.Id}`)).body.Status,
      (status) => status === 'failed',
    )
  }

  test('a failover under load answers 503 for a while, and loses no acknowledged record and no event', async () => {
    const created = await call('POST', '/modules/notifications', {
      TargetURL: receiver.url,
      EventTypes: ['project.new'],
    })
    expect(created.status).toBe(201)
    await untilWorkerRuns()
    const processes = await product.processes()
    const statuses = new Set<number>()
    const acknowledged = new Set<number>()
    let isOver = false
    let lastGoodMs = performance.now()
    let longestGapMs = 0

    /** Creates projects one after the other, each until it is acknowledged, as a careful client does. */
    const createProjects = async (client: number): Promise<void> => {
      for (let count = 0; !isOver; count += 1) {
        const name = `${client}-${count}`
        await waitFor(
          async () => {
            const { status, body } = await call(
              'POST',
              '/projects',
              { Name: name },
              { 'Idempotency-Key': name },
            )
            statuses.add(status)
            if (status !== 201) return false
            acknowledged.add(body.Id)
            const nowMs = performance.now()
            longestGapMs = Math.max(longestGapMs, nowMs - lastGoodMs)
            lastGoodMs = nowMs
            return true
          },
          (isCreated) => isCreated,
          longestWaitMs,
          100,
        )
      }
    }
    const clients = Promise.all([0, 1, 2].map(createProjects))
    await waitFor(
      async () => acknowledged.size,
      (count) => count >= 20,
    )
    await pair.killPrimary()
    await waitFor(
      async () => (await request(`${product.url}/readyz`, 'GET')).status,
      (status) => status === 503,
    )
    await pair.promoteStandby()
    const before = acknowledged.size
    await waitFor(
      async () => acknowledged.size,
      (count) => count >= before + 20,
    )
    isOver = true
    await clients

    expect([...statuses].toSorted((a, b) => a - b)).toEqual([201, 503])
    expect(longestGapMs).toBeLessThan(30_000)
    const answers = await Promise.all([...acknowledged].map((id) => call('GET', `/projects/${id}`)))
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
    await waitFor(
      async () => {
        const seen = new Set(receiver.received.map(({ event }) => event.ProjectId))
        return [...acknowledged].filter((id) => !seen.has(id))
      },
      (missing) => missing.length === 0,
    )
    expect(await product.processes()).toEqual(processes)
  })
})
