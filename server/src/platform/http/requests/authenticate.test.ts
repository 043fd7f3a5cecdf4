import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLog } from '../../log/log.ts'
import { protectRoutes, type Principal } from './authenticate.ts'
import type { HttpServer } from '../http-server.ts'
import { createHttpServer } from '../server.ts'

let app: HttpServer

beforeEach(async () => {
  app = await createHttpServer({ log: createLog({ level: 'silent' }), publicUrl: 'http://video.test' })
})

afterEach(() => app.close())

const nobody: Principal = {
  accountId: 1,
  userId: 1,
  apiKeyId: null,
  sessionId: null,
  projectIds: null,
  can: () => false,
  canGrant: () => false,
}

test('a route without a permission stops the server from starting, with an error that names the route and the fix', async () => {
  const start = app.register(
    async (api) => {
      protectRoutes(api, async () => nobody)
      await api.register(async (scope) => {
        scope.get('/forgotten', async () => 'open to all')
      })
    },
    { prefix: '/v3' },
  )
  await expect(start).rejects.toThrow(/GET \/v3\/forgotten has no permission: .*permission: 'files:read'/)
})

test('a route for any key serves a key without other rights', async () => {
  await app.register(async (api) => {
    protectRoutes(api, async () => nobody)
    api.get('/me', { config: { permission: 'any-key' } }, async () => ({ ok: true }))
    api.get('/files', { config: { permission: 'files:read' } }, async () => ({ ok: true }))
  })
  expect((await app.inject('/me')).statusCode).toBe(200)
  expect((await app.inject('/files')).statusCode).toBe(403)
})

test('a right in one project opens routes that check the project of the record, and no others', async () => {
  await app.register(async (api) => {
    protectRoutes(api, async () => ({ ...nobody, can: (_permission, where) => where === 'somewhere' }))
    const config = { permission: 'playlists:write' } as const
    api.get('/playlists', { config: { ...config, isProjectInRecord: true } }, async () => ({ ok: true }))
    api.get('/webhooks', { config }, async () => ({ ok: true }))
  })
  expect((await app.inject('/playlists')).statusCode).toBe(200)
  expect((await app.inject('/webhooks')).statusCode).toBe(403)
})
