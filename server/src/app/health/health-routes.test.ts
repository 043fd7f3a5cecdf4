import type { FastifyRequest } from 'fastify'
import { sql as sqlOf } from 'kysely'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { Problem } from '../../platform/base/problem.ts'
import { product } from '../../platform/base/version.ts'
import { findFreePort } from '../../../test/support/free-port.ts'
import { request, startTestServer, type TestServer } from '../../../test/support/test-server.ts'
import { waitFor } from '../../../test/support/wait-for.ts'
import { encodeLadderJob } from '../../library/files/queue/file-jobs.ts'
import { StorageFullError } from '../../platform/blobs/blob-store.ts'
import { openDatabase } from '../../platform/db/database.ts'
import { openConnection } from '../../platform/db/driver/connection.ts'
import { requireMetricsToken, startHealthServer } from './health-routes.ts'
import { createInstallationRegistry } from './installation-registry.ts'
import { createReadinessCheck } from './readiness.ts'

let server: TestServer
const scrape = async () =>
  samplesIn((await request(`${server.url}/metrics`, 'GET', { apiKey: 'of-the-monitoring' })).body as string)

beforeAll(async () => {
  server = await startTestServer({ environment: { ZOETROPE_METRICS_TOKEN: 'of-the-monitoring' } })
})

afterAll(async () => {
  await server.stop()
})

test('liveness and readiness answer 200, and metrics count requests by route without ids', async () => {
  expect((await request(`${server.url}/healthz`, 'GET')).body).toEqual({
    status: 'ok',
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    commit: product.commit,
  })
  for (const path of ['/readyz', '/readyz/writes'])
    expect((await request(server.url + path, 'GET')).body).toEqual({
      status: 'ready',
      Reads: 'ok',
      Writes: 'ok',
    })
  await server.call('GET', '/projects/77')
  const metrics = await request(`${server.url}/metrics`, 'GET', { apiKey: 'of-the-monitoring' })
  expect(metrics.body).toContain('route="/v3/projects/:projectId",status="404"')
  expect(metrics.body).toContain('zoetrope_process_cpu_seconds_total')
  expect(metrics.body).not.toContain('/projects/77')
})

test('metrics require the token, also from this machine, and an API key is none', async () => {
  for (const apiKey of [null, '', 'of-the-monitorinG', 'of-the-monitoring2', server.apiKey]) {
    const answer = await request(`${server.url}/metrics`, 'GET', { apiKey })
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toBe('Bearer')
    expect(answer.body.error.reason).toBe('metrics_token_required')
  }
  const without = requireMetricsToken(null, server.services.log)
  for (const authorization of [undefined, 'Bearer ', 'Bearer null'])
    expect(() => without({ headers: { authorization } } as FastifyRequest)).toThrow(Problem)
})

/** Starts a worker of the same installation with another check of its media storage. */
const withStorage = async (checkHealth: () => Promise<void>) => {
  const { services } = server
  const port = await findFreePort()
  const worker = await startHealthServer({ ...services, blobs: { ...services.blobs, checkHealth } }, port)
  return { worker, ask: (path: string) => request(`http://127.0.0.1:${port}${path}`, 'GET') }
}

test('keeps serving reads while the media storage hangs for up to 15 seconds', async () => {
  let isHanging = false
  const { worker, ask } = await withStorage(() =>
    isHanging ? Promise.reject(new Error('no answer')) : Promise.resolve(),
  )
  expect((await ask('/readyz')).body.Writes).toBe('ok')
  isHanging = true
  const realNow = performance.now.bind(performance)
  let passedMs = 10_000
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => realNow() + passedMs)
  const hanging = 'unavailable: the media storage does not respond'
  const brief = await ask('/readyz')
  expect([brief.status, brief.body.Reads, brief.body.Writes]).toEqual([200, 'ok', hanging])
  expect((await ask('/readyz/writes')).status).toBe(503)
  passedMs = 20_000
  const long = await ask('/readyz')
  expect([long.status, long.body.Reads]).toEqual([503, hanging])
  clock.mockRestore()
  await worker.stop()
})

test('without the media storage it is alive but not ready and sends Retry-After', async () => {
  const { worker, ask } = await withStorage(() => Promise.reject(new Error('bucket gone: secret-bucket')))
  for (const path of ['/readyz', '/readyz/writes']) {
    const answer = await ask(path)
    expect(answer.status).toBe(503)
    expect(answer.headers.get('retry-after')).toBe('2')
    expect(answer.body).toMatchObject({
      status: 'not ready',
      Reads: 'unavailable: the media storage does not respond',
      Writes: 'unavailable: the media storage does not respond',
      error: { message: 'The database or the media storage is not available.' },
    })
    expect(JSON.stringify(answer.body)).not.toContain('secret-bucket')
  }
  expect((await ask('/healthz')).status).toBe(200)
  await worker.stop()
})

test('a full media storage takes out writes only', async () => {
  const { worker, ask } = await withStorage(() => Promise.reject(new StorageFullError()))
  const reads = await ask('/readyz')
  expect([reads.status, reads.body]).toEqual([
    200,
    { status: 'ready', Reads: 'ok', Writes: 'unavailable: the media storage is full' },
  ])
  expect((await ask('/readyz/writes')).status).toBe(503)
  await worker.stop()
})

test('with a read-only database it serves reads, and answers writes with 503', async () => {
  const { sql } = server.services.database
  const [database] = await sql<{ name: string }[]>`select current_database() as name`
  const setReadOnly = async (value: 'on' | 'off'): Promise<void> => {
    await sql.rawText(`alter database ${database?.name} set default_transaction_read_only = ${value}`, [], {
      isPrepared: false,
    })
    // The setting applies to new connections.
    await sql`select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and application_name ~ '^zoetrope( key=|$)'`
  }
  const ready = (path: string) => request(server.url + path, 'GET')
  await setReadOnly('on')
  const readOnly = await waitFor(
    () => ready('/readyz/writes'),
    ({ status }) => status === 503,
  )
  expect(readOnly.body).toMatchObject({ Reads: 'ok', Writes: 'unavailable: the database is read-only' })
  expect((await ready('/readyz')).status).toBe(200)
  expect((await server.call('GET', '/projects')).status).toBe(200)
  const write = await server.call('POST', '/projects', { body: { Name: 'Not now' } })
  expect([write.status, write.headers.get('retry-after')]).toEqual([503, '2'])
  await setReadOnly('off')
  await waitFor(
    () => ready('/readyz/writes'),
    ({ status }) => status === 200,
  )
  expect((await server.call('POST', '/projects', { body: { Name: 'Now' } })).status).toBe(201)
})

test('a full disk of the embedded database takes out writes only', async () => {
  const { services } = server
  const space = { blocks: 100_000, bavail: 4_000, bsize: 4_096 }
  const check = createReadinessCheck(services, services.log, async () => space)
  expect(await check.check()).toMatchObject({
    reads: 'ok',
    writes: 'unavailable: the disk of the database is full',
  })
  const unknown = createReadinessCheck(services, services.log, async () => ({ ...space, blocks: 0 }))
  expect(await unknown.check()).toMatchObject({ writes: 'ok' })
})

test('a database that refuses new connections takes out writes only, and open connections serve reads', async () => {
  const { templateDatabase: _template, logins: _logins, ...where } = inject('postgres')
  const { services } = server
  const administrator = await openConnection({ ...where, database: 'postgres' })
  const [row] = await services.database.sql<{ name: string }[]>`select current_database() as name`
  const allow = (value: boolean) =>
    administrator.query(`alter database ${row?.name} with allow_connections ${value}`)
  const database = openDatabase(services.database.connection, { maxConnections: 2, pipelineConnections: 2 })
  const readiness = () => createReadinessCheck({ ...services, database }, services.log).check()
  const read = () => database.sql<{ one: number }[]>`select 1 as one from pg_sleep(0.1)`
  const write = () => database.transaction((tx) => sqlOf`select pg_sleep(0.1)`.execute(tx))
  await read()
  await write()
  await allow(false)
  expect(await readiness()).toMatchObject({ writes: 'ok' })
  await Promise.all([read(), read(), read()])
  expect((await Promise.allSettled([write(), write()])).map(({ status }) => status).sort()).toEqual([
    'fulfilled',
    'rejected',
  ])
  expect(await readiness()).toMatchObject({
    reads: 'ok',
    writes: 'unavailable: the database refuses new connections',
  })
  await allow(true)
  expect(await readiness()).toMatchObject({ writes: 'ok' })
  await Promise.all([write(), write()])
  await database.close()
  administrator.discard()
})

const samplesIn = (text: string): ReadonlyMap<string, number> =>
  new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const at = line.lastIndexOf(' ')
        return [line.slice(0, at), Number(line.slice(at + 1))]
      }),
  )

test('one process serves the metrics of the installation, and another takes over when it stops', async () => {
  const { sql } = server.services.database
  const first = await scrape()
  expect(first.get('zoetrope_metrics_reporter')).toBe(1)
  expect(first.get('zoetrope_jobs{queue="file.ladder",state="waiting"}')).toBe(0)
  expect(first.get('zoetrope_database_server_max_connections')).toBeGreaterThan(10)
  expect(first.get('zoetrope_webhook_deliveries{state="pending"}')).toBe(0)

  const ports = [await findFreePort(), await findFreePort()]
  const other = await server.servicesOf('worker')
  const installation = createInstallationRegistry(other)
  const worker = await startHealthServer(other, ports[0] ?? 0, [installation.registry])
  const ofWorker = async () =>
    samplesIn((await request(`http://127.0.0.1:${ports[0]}/metrics`, 'GET')).body as string)
  const before = await ofWorker()
  expect(before.get('zoetrope_metrics_reporter')).toBe(0)
  expect([...before.keys()].filter((name) => name.startsWith('zoetrope_jobs'))).toEqual([])
  expect(before.get('zoetrope_data_folder_free_bytes')).toBeGreaterThan(0)

  await sql`update metrics_reporter set leased_until = now() - interval '1 second'`
  const { jobs, database } = server.services
  await jobs.enqueue(database.kysely, encodeLadderJob, { accountId: 1, fileId: 1, revision: 1 } as never)
  const after = await waitFor(ofWorker, (samples) => samples.get('zoetrope_metrics_reporter') === 1)
  expect(after.get('zoetrope_jobs{queue="file.ladder",state="waiting"}')).toBe(1)
  expect(after.get('zoetrope_jobs_oldest_waiting_seconds{queue="file.ladder"}')).toBeGreaterThan(0)
  await waitFor(scrape, (samples) => samples.get('zoetrope_metrics_reporter') === 0)
  await installation.release()
  await waitFor(scrape, (samples) => samples.get('zoetrope_metrics_reporter') === 1)
  await worker.stop()
})

test('webhook lag is the wait of the oldest due delivery, without paused webhooks', async () => {
  const { sql } = server.services.database
  const ids: number[] = []
  for (const Label of ['due', 'paused', 'retried']) {
    const body = { Label, TargetURL: 'zoetrope:inspector', EventTypes: ['project.*'] }
    ids.push((await server.call('POST', '/modules/notifications', { body })).body.Id)
  }
  await server.call('POST', '/projects', { body: { Name: 'Watched' } })
  const [due, paused, retried] = ids
  await sql`update deliveries set created_at = now() - interval '90 seconds', next_attempt_at = now() - interval '90 seconds'
    where webhook_id = ${due}::bigint`
  await sql`update deliveries set created_at = now() - interval '1 hour', next_attempt_at = now() - interval '1 hour'
    where webhook_id = ${paused}::bigint`
  await sql`insert into webhook_health (webhook_id, account_id, paused_until)
    values (${paused}::bigint, 1, now() + interval '1 hour')`
  await sql`update deliveries set state = 'waiting', created_at = now() - interval '2 hours', next_attempt_at = now() + interval '1 hour'
    where webhook_id = ${retried}::bigint`
  const samples = await waitFor(
    scrape,
    (found) => found.get('zoetrope_webhook_deliveries{state="waiting"}') === 1,
  )
  expect(samples.get('zoetrope_webhook_deliveries{state="pending"}')).toBe(2)
  expect(samples.get('zoetrope_webhooks_paused')).toBe(1)
  expect(samples.get('zoetrope_webhook_lag_seconds')).toBeGreaterThanOrEqual(90)
  expect(samples.get('zoetrope_webhook_lag_seconds')).toBeLessThan(600)
  expect(samples.get('zoetrope_webhook_oldest_undelivered_seconds')).toBeGreaterThanOrEqual(7_200)
})

test('a scrape is answered without the database', async () => {
  const { services } = server
  const gone = openDatabase({ url: `postgres://nobody@127.0.0.1:${await findFreePort()}/none` })
  const port = await findFreePort()
  const installation = createInstallationRegistry({ ...services, database: gone })
  const worker = await startHealthServer({ ...services, database: gone }, port, [installation.registry])
  const answer = await request(`http://127.0.0.1:${port}/metrics`, 'GET')
  expect(answer.status).toBe(200)
  expect(samplesIn(answer.body).get('zoetrope_metrics_reporter')).toBe(0)
  expect((await request(`http://127.0.0.1:${port}/readyz`, 'GET')).body).toMatchObject({
    Reads: 'unavailable: the database does not respond',
  })
  await worker.stop()
  await gone.close()
})

test('without https and a contact there is neither Strict-Transport-Security nor security.txt', async () => {
  const { status, headers } = await request(`${server.url}/.well-known/security.txt`, 'GET')
  expect(status).toBe(404)
  expect(headers.get('strict-transport-security')).toBeNull()
})

test('the root redirects to the console, whose policy loads nothing from other hosts', async () => {
  const root = await fetch(`${server.url}/`, { redirect: 'manual' })
  expect([root.status, root.headers.get('location')]).toEqual([302, '/console/'])
  const page = await request(`${server.url}/console/`, 'GET')
  expect(page.status).toBe(200)
  const policy = page.headers.get('content-security-policy')
  expect(policy).toContain("default-src 'none'")
  const nonce = /style-nonce" content="([^"]+)"/.exec(page.body)?.[1]
  expect(policy).toContain(`'nonce-${nonce}'`)
  expect((await request(`${server.url}/console/`, 'GET')).body).not.toContain(nonce)
  const script = /src="([^"]+\.js)"/.exec(page.body)?.[1]
  const { status, headers } = await request(`${server.url}${script}`, 'GET')
  expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable'])
  expect((await request(`${server.url}/console/assets/none.js`, 'GET')).status).toBe(404)
})
