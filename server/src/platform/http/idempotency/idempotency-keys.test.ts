import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSecondNode } from '../../../../test/support/second-node.ts'
import {
  request,
  startTestServer,
  type Answer,
  type TestServer,
} from '../../../../test/support/test-server.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { keepHouse } from '../../jobs/housekeeping.ts'
import { httpHousekeeping } from '../housekeeping.ts'
import { expectProblem } from '../test-support/expect-problem.ts'

let server: TestServer
let projectId: number

beforeAll(async () => {
  server = await startTestServer()
  projectId = (await server.call('POST', '/projects', { body: { Name: 'Once' } })).body.Id
})

afterAll(() => server.stop())

const post = (
  path: string,
  key: string,
  body: unknown,
  options: { apiKey?: string; headers?: Record<string, string> } = {},
): Promise<Answer> =>
  server.call('POST', path, {
    body,
    ...(options.apiKey === undefined ? {} : { apiKey: options.apiKey }),
    headers: { 'Idempotency-Key': key, ...options.headers },
  })

const database = () => server.services.database

const userIdOf = (apiKey: string): number => {
  const claims = JSON.parse(Buffer.from(apiKey.split('.')[1] ?? '', 'base64url').toString()) as {
    sub: string
  }
  return Number(claims.sub)
}

/** Writes the row that a node writes when it starts to receive a file. */
const leased = async (key: string, seconds: number) => {
  const { account_id, jti } = await database()
    .kysely.selectFrom('api_keys')
    .select(['account_id', 'jti'])
    .where('last_four', '=', server.apiKey.slice(-4))
    .executeTakeFirstOrThrow()
  return {
    account_id,
    caller: jti,
    key,
    fingerprint: Buffer.alloc(32),
    claim_id: crypto.randomUUID(),
    leased_until: new Date(Date.now() + seconds * 1_000),
  }
}

const countProjects = async (name: string): Promise<number> => {
  const { body } = await server.call('GET', '/projects?limit=500')
  return body.Projects.filter((project: { Name: string }) => project.Name === name).length
}

test('a repetition gets the first response, and the work is done once', async () => {
  const first = await post('/projects', 'k1', { Name: 'First' })
  const second = await post('/projects', 'k1', { Name: 'First' })
  expect(first.status).toBe(201)
  expect(second).toMatchObject({ status: 201, body: first.body })
  for (const name of ['location', 'etag', 'content-type'])
    expect(second.headers.get(name)).toBe(first.headers.get(name))
  expect(first.headers.get('idempotent-replayed')).toBeNull()
  expect(second.headers.get('idempotent-replayed')).toBe('true')
  expect(await countProjects('First')).toBe(1)
})

test('the first response is replayed even after the record changed or was deleted', async () => {
  const first = await post('/projects', 'gone', { Name: 'Gone' })
  await server.call('DELETE', `/projects/${first.body.Id}`)
  expect(await post('/projects', 'gone', { Name: 'Gone' })).toMatchObject({ status: 201, body: first.body })
})

test('the same key with another body or another address answers 409', async () => {
  await post('/projects', 'k2', { Name: 'Second' })
  expectProblem(await post('/projects', 'k2', { Name: 'Other' }), 'conflict')
  expectProblem(await post('/projects?a=b', 'k2', { Name: 'Second' }), 'conflict')
  expectProblem(await post('/apikeys', 'k2', { Label: 'a' }), 'conflict')
  expect(await countProjects('Other')).toBe(0)
})

test('one of several concurrent repetitions does the work and all get its response', async () => {
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => post('/projects', 'k3', { Name: 'Crowd' })),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
  expect(new Set(answers.map(({ body }) => body.Id)).size).toBe(1)
  expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1)
  expect(await countProjects('Crowd')).toBe(1)
})

test('many concurrent keys do not exhaust the connection pool', async () => {
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_none, index) => post('/projects', `pool-${index}`, { Name: 'Pool' })),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
  expect(await countProjects('Pool')).toBe(60)
})

test('a failed request frees its key, so that the corrected one may reuse it', async () => {
  expectProblem(await post('/projects', 'k4', { Name: '' }), 'invalid')
  const files = `/projects/${projectId}/files`
  expectProblem(await post(files, 'k4', { FileName: 'a.mp4', Metadata: { Category: [9] } }), 'invalid')
  const mended = await post(files, 'k4', { FileName: 'a.mp4' })
  expect(mended.status).toBe(201)
  expect(mended.headers.get('idempotent-replayed')).toBeNull()
})

test('a key belongs to one API key, also within the same account', async () => {
  const apiKey = await server.newKey()
  const other = await server.newKey({ inNewAccount: true })
  await post('/projects', 'k5', { Name: 'Mine' })
  for (const one of [apiKey, other]) {
    const answer = await post('/projects', 'k5', { Name: 'Theirs' }, { apiKey: one })
    expect(answer).toMatchObject({ status: 201, body: { Name: 'Theirs' } })
  }
})

test('permissions are checked before a replay', async () => {
  const apiKey = await server.newKey()
  const again = () => post('/projects', 'k6', { Name: 'Mine' }, { apiKey })
  expect((await again()).status).toBe(201)
  await database()
    .kysely.updateTable('users')
    .set({ role: 'Reader' })
    .where('id', '=', userIdOf(apiKey))
    .execute()
  // Permission changes take effect within two seconds.
  expectProblem(await waitFor(again, ({ status }) => status !== 201), 'forbidden')
})

test.each(['', 'a'.repeat(256), 'schlüssel', 'tab\there'])('the key "%s" answers 400', async (key) => {
  const answer = await post('/projects', key, { Name: 'Bad key' })
  expectProblem(answer, 'invalid')
  expect(answer.body.error.details[0].field).toBe('Idempotency-Key')
  expect(await countProjects('Bad key')).toBe(0)
})

test('255 printable characters are a valid key', async () => {
  expect((await post('/projects', `"${'~'.repeat(253)}"`, { Name: 'Long' })).status).toBe(201)
})

test('other methods ignore the header', async () => {
  for (let time = 0; time < 2; time += 1) {
    const answer = await server.call('PUT', `/projects/${projectId}`, {
      body: { Description: 'x' },
      headers: { 'Idempotency-Key': '' },
    })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('idempotent-replayed')).toBeNull()
  }
})

test('responses with secrets are replayed, and encrypted in the database', async () => {
  const first = await post('/apikeys', 'secret', { Label: 'Sealed' })
  expect(first.status).toBe(201)
  const second = await post('/apikeys', 'secret', { Label: 'Sealed' })
  expect(second.body.Token).toBe(first.body.Token)
  const rows = await database().kysely.selectFrom('idempotency_keys').select('sealed_answer').execute()
  for (const { sealed_answer } of rows)
    expect(sealed_answer?.toString('latin1') ?? '').not.toMatch(/Token|Label|"body"/)
})

describe('file bodies', () => {
  const upload = (key: string, bytes: Uint8Array, fileName: string) =>
    server.call('POST', `/projects/${projectId}/files?fileName=${fileName}`, {
      body: bytes,
      headers: { 'Idempotency-Key': key, 'Content-Type': 'video/mp4' },
    })

  test('are stored once; the repetition gets the first response', async () => {
    const bytes = new Uint8Array(3_000_000).fill(7)
    const first = await upload('u1', bytes, 'once.mp4')
    const second = await upload('u1', bytes, 'once.mp4')
    expect(first.status).toBe(201)
    expect(second).toMatchObject({ status: 201, body: { Id: first.body.Id } })
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expectProblem(await upload('u1', bytes.subarray(1), 'once.mp4'), 'conflict')
    expectProblem(await upload('u1', bytes, 'other.mp4'), 'conflict')
  })

  test('are stored once when sent concurrently', async () => {
    const bytes = new Uint8Array(500_000).fill(7)
    const answers = await Promise.all(Array.from({ length: 6 }, () => upload('u2', bytes, 'crowd.mp4')))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(answers.map(({ body }) => body.Id)).size).toBe(1)
  })

  test('of forms match on each attempt although their boundaries differ', async () => {
    const form = () => {
      const data = new FormData()
      data.append('file', new Blob([new Uint8Array(1_000)]), 'form.mp4')
      return server.call('POST', `/projects/${projectId}/files`, {
        body: data,
        headers: { 'Idempotency-Key': 'u3' },
      })
    }
    const first = await form()
    const second = await form()
    expect(first.status).toBe(201)
    expect(second.body.Id).toBe(first.body.Id)
  })

  test('need a length: chunked ones answer 400', async () => {
    const answer = await fetch(`${server.url}/v3/projects/${projectId}/files?fileName=chunked.mp4`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${server.apiKey}`,
        'Idempotency-Key': 'u5',
        'Content-Type': 'video/mp4',
      },
      body: new Blob([new Uint8Array(100)]).stream(),
      duplex: 'half',
    } as RequestInit)
    const body = await answer.json()
    expectProblem({ status: answer.status, headers: answer.headers, body }, 'invalid')
    expect(body.error.details[0].field).toBe('Content-Length')
  })

  test('free the key when they are refused', async () => {
    expectProblem(await upload('u4', new Uint8Array(0), 'empty.mp4'), 'invalid')
    expect((await upload('u4', new Uint8Array(10), 'empty.mp4')).status).toBe(201)
  })
})

describe('two nodes', () => {
  test('treat concurrent repetitions as one: the others wait for it', async () => {
    const node = await startSecondNode(server)
    try {
      const send = (url: string) =>
        request(`${url}/v3/projects`, 'POST', {
          apiKey: server.apiKey,
          body: { Name: 'Two nodes' },
          headers: { 'Idempotency-Key': 'nodes' },
        })
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_none, index) => send(index % 2 === 0 ? server.url : node.url)),
      )
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
      expect(new Set(answers.map(({ body }) => body.Id)).size).toBe(1)
      expect(await countProjects('Two nodes')).toBe(1)
    } finally {
      await node.stop()
    }
  })

  test('free the key of a node that was killed during an upload when its lease ends', async () => {
    await database()
      .kysely.insertInto('idempotency_keys')
      .values(await leased('killed', -1))
      .execute()
    expect((await post('/projects', 'killed', { Name: 'Killed' })).status).toBe(201)
  })
})

describe('after a day', () => {
  const age = (key: string) =>
    database()
      .kysely.updateTable('idempotency_keys')
      .set({ created_at: new Date(Date.now() - 25 * 3_600_000) })
      .where('key', '=', key)
      .execute()

  test('a key may be used again', async () => {
    const first = await post('/projects', 'old', { Name: 'Old' })
    await age('old')
    const second = await post('/projects', 'old', { Name: 'Old again' })
    expect(second.status).toBe(201)
    expect(second.body.Id).not.toBe(first.body.Id)
  })

  test('housekeeping removes its row, and keeps younger ones and files still being received', async () => {
    await post('/projects', 'remove', { Name: 'Removed' })
    await post('/projects', 'keep', { Name: 'Kept' })
    await database()
      .kysely.insertInto('idempotency_keys')
      .values(await leased('long', 600))
      .execute()
    await age('remove')
    await age('long')
    await keepHouse(httpHousekeeping(database(), { idempotencyHours: 24 }))
    const rows = await database()
      .kysely.selectFrom('idempotency_keys')
      .select('key')
      .where('key', 'in', ['remove', 'keep', 'long'])
      .orderBy('key')
      .execute()
    expect(rows.map(({ key }) => key)).toEqual(['keep', 'long'])
  })
})
