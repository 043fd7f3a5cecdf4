import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../test/support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

test('smoke', async () => {
  const p = await server.call('POST', '/projects', { body: { Name: 'a' } })
  const f = await server.call('POST', `/projects/${p.body.Id}/files`, {
    body: { FileName: 'a.mp4', Metadata: { Tags: ['x', 'Ünï'], Title: 'ÄÖ hello' } },
  })
  const made = await server.call('POST', '/modules/playlists', {
    body: { Name: 'a', Elements: [{ FileId: f.body.Id }, f.body.Id] },
  })
  console.log(made.status, JSON.stringify(made.body, null, 1))
  for (const c of [
    { Field: 'Tags', Operator: 'contains', Value: 'ünÏ' },
    { Field: 'Title', Operator: 'contains', Value: 'äö' },
    { Field: 'Title', Operator: 'in', Value: ['x', 'äö HELLO'] },
    { Field: 'Length', Operator: 'isEmpty' },
    { Field: 'Length', Operator: 'in', Value: [1.5, 2] },
    { Field: 'ProjectId', Operator: 'in', Value: [p.body.Id] },
    { Field: 'CreatedAt', Operator: 'withinDays', Value: 0.5 },
    { Field: 'CustomMetadata.adsDisabled', Operator: 'equals', Value: false },
    { Field: 'CustomMetadata.x', Operator: 'in', Value: [1, 'a'] },
    { Field: 'CustomMetadata.x', Operator: 'isEmpty' },
    { Field: 'Category', Operator: 'in', Value: [1, 'a'] },
    { Field: 'Size', Operator: 'greaterThan', Value: 1.5 },
    { Field: 'Status', Operator: 'notEquals', Value: 'failed' },
  ]) {
    const a = await server.call('POST', '/modules/playlists', {
      body: { Name: 'a', Type: 'automatic', Rules: { Conditions: [c] } },
    })
    console.log(a.status, JSON.stringify(c), a.body.ElementCount ?? JSON.stringify(a.body))
  }
  const l = await server.call('GET', '/modules/playlists?search=A&type=manual,automatic&limit=2&orderBy=name')
  console.log(l.status, JSON.stringify(l.body).slice(0, 500))
})
