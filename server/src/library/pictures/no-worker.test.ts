import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../test/support/test-server.ts'
import { waitFor } from '../../../test/support/wait-for.ts'
import { expectProblem } from '../../platform/http/test-support/expect-problem.ts'
import { startWorker } from '../../app/roles/worker.ts'
import { makePicture } from './test-support/sample-pictures.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})

afterAll(() => server.stop())

test('answers 503 with Retry-After without a worker, and a late worker makes no picture', async () => {
  const { sql } = server.services.database
  const project = await server.call('POST', '/projects', { body: { Name: 'Alone' } })
  const file = await server.call('POST', `/projects/${project.body.Id}/files`, {
    body: { FileName: 'a.mp4' },
  })
  const path = `/projects/${project.body.Id}/files/${file.body.Id}/pictures`
  const bytes = await makePicture({ extension: 'png', size: '64x64' })
  const post = (key: string) =>
    server.call('POST', path, {
      body: bytes,
      headers: { 'Content-Type': 'image/png', 'Idempotency-Key': key },
    })
  const answers = await Promise.all([post('one'), post('two')])
  for (const answer of answers) {
    expectProblem(answer, 'unavailable')
    expect(answer.headers.get('retry-after')).toBe('30')
  }
  expect(await sql`select id from picture_requests`).toEqual([])
  expect(await sql`select id from discarded_media`).toEqual([])

  const worker = await startWorker(await server.servicesOf('worker'))
  await waitFor(
    () => sql`select state from pgboss.job where name = 'file.picture'`,
    (jobs) => jobs.length === 2 && jobs.every(({ state }) => state === 'completed'),
  )
  expect((await server.call('GET', path)).body.TotalCount).toBe(0)
  // The server stores no failed response, so the same Idempotency-Key may try again.
  expect((await post('one')).status).toBe(201)
  expect((await server.call('GET', path)).body.TotalCount).toBe(1)
  await worker.stop(2_000)
})
