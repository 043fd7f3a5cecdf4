import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../test/support/test-server.ts'
import { expectProblem } from './test-support/expect-problem.ts'
import { rawRequest } from './test-support/raw-request.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})

afterAll(() => server.stop())

const malformed: [string, string | Buffer][] = [
  ['garbage', 'GARBAGE\r\n\r\n'],
  ['random bytes', Buffer.concat([Buffer.from([0x16, 0x03, 0x01]), randomBytes(200)])],
  ['an HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['an unknown version', 'GET / HTTP/9.9\r\nHost: a\r\n\r\n'],
  ['no Host', 'GET /v3/projects HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ['two Hosts', 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
  ['the same Host twice', 'GET / HTTP/1.1\r\nHost: a\r\nhOST: a\r\n\r\n'],
  ['two Hosts in HTTP/1.0', 'GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n'],
  ['a header without a colon', 'GET / HTTP/1.1\r\nHost: a\r\nnonsense\r\n\r\n'],
  ['a space before the colon', 'GET / HTTP/1.1\r\nHost : a\r\n\r\n'],
  ['NUL in a header', 'GET / HTTP/1.1\r\nHost: a\r\nX-A: \u0000\r\n\r\n'],
  ['a negative length', 'POST /v3/projects HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n'],
  [
    'two lengths',
    'POST /v3/projects HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
  ],
  [
    'length and chunks',
    'POST /v3/projects HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  ['headers of 20 KiB', `GET /v3/projects HTTP/1.1\r\nHost: a\r\nX-A: ${'a'.repeat(20_480)}\r\n\r\n`],
  ['a path of 20 KiB', `GET /v3/${'a'.repeat(20_480)} HTTP/1.1\r\nHost: a\r\n\r\n`],
]

test.each(malformed)('%s: answers 400 in the envelope and closes the connection', async (_what, bytes) => {
  const answer = await rawRequest(server.url, bytes)
  expect(answer).not.toBeNull()
  if (answer !== null) expectProblem(answer, 'invalid')
})

test('a broken chunk in a body answers 400 in the envelope', async () => {
  const answer = await rawRequest(
    server.url,
    `POST /v3/projects HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${server.apiKey}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
    'zz\r\nno chunk\r\n',
  )
  expect(answer).not.toBeNull()
  if (answer !== null) expectProblem(answer, 'invalid')
})

test('an unknown expectation is ignored', async () => {
  const answer = await rawRequest(
    server.url,
    `GET /v3/projects HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${server.apiKey}\r\nExpect: a-miracle\r\nConnection: close\r\n\r\n`,
  )
  expect(answer?.status).toBe(200)
})

test('HTTP/1.0 without Host is served', async () => {
  const answer = await rawRequest(
    server.url,
    `GET /v3/projects HTTP/1.0\r\nAuthorization: Bearer ${server.apiKey}\r\n\r\n`,
  )
  expect(answer?.status).toBe(200)
})

test('the server still serves requests after these', async () => {
  expect((await server.call('GET', '/projects')).status).toBe(200)
})
