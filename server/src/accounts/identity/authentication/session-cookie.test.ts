import { expect, test } from 'vitest'
import { createKnownDevices, deviceMaxSeconds } from './known-device.ts'
import { createPasswords } from '../sessions/passwords.ts'
import { createSessionCookies } from './session-cookie.ts'

const token = 'x'.repeat(43)

test('over HTTPS the cookie is bound to its host, Secure and HttpOnly', () => {
  const cookies = createSessionCookies('https://video.example.com')
  expect(cookies.keepSession(token, 60)).toBe(
    `__Host-zoetrope-session=${token}; Max-Age=60; Path=/; HttpOnly; SameSite=Lax; Secure`,
  )
  expect(cookies.sessionOf(`a=b; __Host-zoetrope-session=${token}; c=d`)).toBe(token)
  // A page of a neighbouring host could set this cookie.
  expect(cookies.sessionOf(`zoetrope-session=${token}`)).toBeNull()
})

test.each([
  undefined,
  '',
  'zoetrope-session=',
  `zoetrope-session=${token}x`,
  `zoetrope-session=${token.slice(1)}`,
  `zoetrope-session="${token}"`,
  `my-zoetrope-session=${token}`,
  `zoetrope-session =${token}`,
  `a=zoetrope-session=${token}`,
])('no session is read from %j', (header) => {
  expect(createSessionCookies('http://localhost:8080').sessionOf(header)).toBeNull()
})

const owner = (email: string, passwordHash: string | null = '$argon2id$v=19$one') => ({ email, passwordHash })

test('a device token is valid for the address and password that it was created for, and only with this key', () => {
  const devices = createKnownDevices(Buffer.alloc(32, 1))
  const mark = devices.markFor(owner('Kim@example.com'), null)
  const cookies = createSessionCookies('http://localhost')
  expect(cookies.deviceOf(cookies.keepDevice(mark))).toBe(mark)
  expect(devices.isMarkFor(mark, owner('kim@EXAMPLE.com'))).toBe(true)
  expect(devices.isMarkFor(mark, owner('lee@example.com'))).toBe(false)
  for (const hash of ['$argon2id$v=19$two', null])
    expect(devices.isMarkFor(mark, owner('kim@example.com', hash))).toBe(false)
  expect(createKnownDevices(Buffer.alloc(32, 2)).isMarkFor(mark, owner('kim@example.com'))).toBe(false)
  expect(devices.isMarkFor('', owner('kim@example.com'))).toBe(false)
})

test('a browser keeps its device token while it is recent, and none is valid after a year', () => {
  const key = Buffer.alloc(32, 1)
  const [now, later, last] = [0, deviceMaxSeconds / 2, deviceMaxSeconds].map((seconds) =>
    createKnownDevices(key, () => seconds * 1_000),
  )
  const mark = now?.markFor(owner('kim@example.com'), null) ?? ''
  expect(now?.markFor(owner('kim@example.com'), mark)).toBe(mark)
  expect(now?.markFor(owner('lee@example.com'), mark)).not.toBe(mark)
  expect(later?.isMarkFor(mark, owner('kim@example.com'))).toBe(true)
  expect(later?.markFor(owner('kim@example.com'), mark)).not.toBe(mark)
  expect(last?.isMarkFor(mark, owner('kim@example.com'))).toBe(false)
  const [nonce, , proof] = mark.split('.')
  expect(last?.isMarkFor(`${nonce}.${deviceMaxSeconds}.${proof}`, owner('kim@example.com'))).toBe(false)
})

test('a password matches however its letters were typed, and no password matches a user without one', async () => {
  const passwords = createPasswords()
  const hash = await passwords.hash('Gr\u00f6\u00dfenwahn 42', 'stranger')
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await passwords.verify(hash, 'Gro\u0308\u00dfenwahn 42', 'stranger')).toBe(true)
  expect(await passwords.verify(hash, 'Grossenwahn 42', 'stranger')).toBe(false)
  expect(await passwords.verify(null, 'Gro\u0308\u00dfenwahn 42', 'stranger')).toBe(false)
})
