import { test } from 'vitest'
import { startTestServer } from '../../test/support/test-server.ts'
test('x', async () => {
  const server = await startTestServer({ environment: { ZOETROPE_LOG_LEVEL: 'error' } })
  const { body: p } = await server.call('POST', '/projects', { body: { Name: 'Files' } })
  const r = await server.call('POST', `/projects/${p.Id}/files`, { body: { FileName: 'interview.mp4' } })
  console.log(r.status, JSON.stringify(r.body).slice(0, 300))
  const l = await server.call('GET', `/projects/${p.Id}/files?search=inter&status=created,finished&orderBy=name`)
  console.log(l.status, JSON.stringify(l.body).slice(0, 300))
  await server.stop()
})
