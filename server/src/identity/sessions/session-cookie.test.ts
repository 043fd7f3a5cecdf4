import { expect, test } from 'vitest'
import { checkNewPassword, createPasswords } from './passwords.ts'
import { createKnownDevices } from './known-device.ts'
import { createSessionCookies } from './session-cookie.ts'

const token = 'x'.repeat(43)

test('behind https the cookie is bound to this host, secure and out of reach of scripts', () => {
  const cookies = createSessionCookies('https://video.example.com')
  expect(cookies.keepSession(token, 60)).toBe(
    `__Host-zoetrope-session=${token}; Max-Age=60; Path=/; HttpOnly; SameSite=Lax; Secure`,
  )
  expect(cookies.sessionOf(`a=b; __Host-zoetrope-session=${token}; c=d`)).toBe(token)
  // A page of a neighbouring host could set this one.
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
])('no session is read out of %j', (header) => {
  expect(createSessionCookies('http://localhost:8080').sessionOf(header)).toBeNull()
})

test('the mark of a browser counts for the address that it was made for, with this key alone', () => {
  const devices = createKnownDevices(Buffer.alloc(32, 1))
  const mark = devices.markFor('Kim@example.com')
  const cookies = createSessionCookies('http://localhost')
  expect(cookies.deviceOf(cookies.keepDevice(mark))).toBe(mark)
  expect(devices.isMarkFor(mark, 'kim@EXAMPLE.com')).toBe(true)
  expect(devices.isMarkFor(mark, 'lee@example.com')).toBe(false)
  expect(createKnownDevices(Buffer.alloc(32, 2)).isMarkFor(mark, 'kim@example.com')).toBe(false)
  expect(devices.isMarkFor('', 'kim@example.com')).toBe(false)
})

test.each([
  'too short',
  'aaaaaaaaaaaaaaaa',
  'abababababababab',
  'kim.lee@example.com',
  'kim.lee123',
  'KIM.LEEkim.lee',
])('%s is no password', (password) => {
  expect(() => checkNewPassword(password, 'Password', 'Kim.Lee@example.com')).toThrow(/^Password must /)
})

test.each(['three quiet lighthouses', 'Größenwahn 42', '静かな三つの灯台が海辺に', 'x7!kQ-29vv'])(
  '%s is one',
  (password) => {
    checkNewPassword(password, 'Password', 'kim.lee@example.com')
  },
)

test('a password is the same however its letters were typed, and nobody has the one of nobody', async () => {
  const passwords = createPasswords()
  const hash = await passwords.hash('Gr\u00f6\u00dfenwahn 42')
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await passwords.verify(hash, 'Gro\u0308\u00dfenwahn 42')).toBe(true)
  expect(await passwords.verify(hash, 'Grossenwahn 42')).toBe(false)
  expect(await passwords.verify(null, 'Gro\u0308\u00dfenwahn 42')).toBe(false)
})
