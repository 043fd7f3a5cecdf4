import type { FastifyRequest } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Problem } from '../../platform/base/problem.ts'
import { product } from '../../platform/base/version.ts'
import { findFreePort } from '../../../test/support/free-port.ts'
import { request, startTestServer, type TestServer } from '../../../test/support/test-server.ts'
import { requireMetricsToken, startHealthServer } from './health-routes.ts'

let server: TestServer

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
  expect((await request(`${server.url}/readyz`, 'GET')).body).toEqual({ status: 'ready' })
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

test('without the database it is alive but not ready and sends Retry-After', async () => {
  const { services } = server
  const broken = {
    ...services,
    blobs: { ...services.blobs, checkHealth: () => Promise.reject(new Error('bucket gone: secret-bucket')) },
  }
  const port = await findFreePort()
  const worker = await startHealthServer(broken, port)
  const answer = await request(`http://127.0.0.1:${port}/readyz`, 'GET')
  expect(answer.status).toBe(503)
  expect(answer.headers.get('retry-after')).toBe('2')
  expect(answer.body.error.message).toBe('The database or the media storage is not available.')
  expect((await request(`http://127.0.0.1:${port}/healthz`, 'GET')).status).toBe(200)
  await worker.stop(0)
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
