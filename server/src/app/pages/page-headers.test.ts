import { afterAll, beforeAll, expect, test } from 'vitest'
import { request, startTestServer, type TestServer } from '../../../test/support/test-server.ts'
import { makePlayableFile } from '../../playback/test-support/playable-file.ts'
import { securityText } from './security-text.ts'

let server: TestServer

beforeAll(async () => {
  const started = await startTestServer({
    environment: {
      ZOETROPE_PUBLIC_URL: 'https://video.example.com',
      ZOETROPE_HSTS: 'max-age=63072000; includeSubDomains',
      ZOETROPE_SECURITY_CONTACT: 'mailto:security@example.com, https://example.com/report',
      ZOETROPE_SECURITY_EXPIRES: '2999-12-31',
    },
  })
  // No proxy stands at the public URL.
  const url = `http://127.0.0.1:${started.services.config.port}`
  const call: TestServer['call'] = (method, path, options = {}) =>
    request(`${url}/v3${path}`, method, { apiKey: started.apiKey, ...options })
  server = { ...started, url, call }
})

afterAll(() => server.stop())

const own = {
  'content-security-policy': expect.stringMatching(/^default-src 'none'; .*frame-ancestors 'none'$/),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'permissions-policy': expect.stringContaining('camera=()'),
}
const player = {
  'content-security-policy': expect.stringMatching(/^default-src 'none'; .*frame-ancestors \*$/),
  'cross-origin-opener-policy': null,
  'cross-origin-resource-policy': null,
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-frame-options': null,
  // What an embedding page may grant to the player stays out of its own policy.
  'permissions-policy': expect.not.stringMatching(
    /autoplay|fullscreen|encrypted-media|picture-in-picture|clipboard|publickey/,
  ),
}
const none = { 'content-security-policy': null, 'permissions-policy': null, 'x-frame-options': null }

test.each([
  ['console', '/console/projects', own],
  ['documentation', '/docs/quickstart', own],
  ['missing page of the documentation', '/docs/nothing', own],
  ['search of the documentation', '/docs/search?q=upload', own],
  ['reference', '/reference', own],
  ['error of a single sign-on', '/signin/sso', own],
  ['player', '/embed/:playoutId', player],
  ['record of the API', '/v3/projects', none],
])('the %s has its security headers', async (_kind, path, expected) => {
  const { playoutId } = path.includes(':playoutId') ? await makePlayableFile(server) : { playoutId: '' }
  const { headers } = await request(server.url + path.replace(':playoutId', playoutId), 'GET', {
    apiKey: path.startsWith('/v3') ? server.apiKey : null,
    headers: { Accept: 'text/html' },
  })
  const names = Object.keys(expected)
  expect(Object.fromEntries(names.map((name) => [name, headers.get(name)]))).toEqual(expected)
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('strict-transport-security')).toBe('max-age=63072000; includeSubDomains')
})

test('licenses.txt has the licences of the code in console and player', async () => {
  const { status, body } = await request(`${server.url}/licenses.txt`, 'GET')
  expect(status).toBe(200)
  for (const name of ['react', 'hls.js', '@mantine/core']) expect(body).toContain(`\n${name} (`)
})

test('security.txt names the contacts, the expiry and its own address', async () => {
  const { status, headers, body } = await request(`${server.url}/.well-known/security.txt`, 'GET')
  expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
  expect(body).toBe(
    [
      'Contact: mailto:security@example.com',
      'Contact: https://example.com/report',
      'Expires: 2999-12-31T00:00:00Z',
      'Canonical: https://video.example.com/.well-known/security.txt',
      '',
    ].join('\n'),
  )
})

test('security.txt expires 180 days ahead by default, and is gone after a given date', () => {
  const options = { publicUrl: 'https://a.example', contacts: ['tel:+1-201-555-0123'] }
  const now = Date.parse('2026-03-01T12:34:56.789Z')
  expect(securityText({ ...options, expiresAt: null }, now)).toContain('Expires: 2026-08-28T00:00:00Z\n')
  expect(securityText({ ...options, expiresAt: new Date('2026-03-01') }, now)).toBeNull()
  expect(securityText({ ...options, contacts: [], expiresAt: null }, now)).toBeNull()
})
