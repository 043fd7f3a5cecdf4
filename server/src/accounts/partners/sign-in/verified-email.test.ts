import { expect, test } from 'vitest'
import { verifiedEmail } from './verified-email.ts'

const google = 'https://accounts.google.com'
const other = 'https://login.example.com'

test.each<[string, string, object, string | null]>([
  ['of any provider that has verified it', other, { email: 'Kim@One.example' }, 'kim@one.example'],
  ['as Entra says it', other, { email: 'a@b', email_verified: false, xms_edov: '1' }, 'a@b'],
  ['not verified', other, { email: 'a@b', email_verified: false }, null],
  ['of control characters', other, { email: 'a\0@b' }, null],
  ['longer than addresses are', other, { email: `${'a'.repeat(250)}@b.example` }, null],
  ['of a mailbox at Google', google, { email: 'Kim@Gmail.com' }, 'kim@gmail.com'],
  ['of a customer of Google', google, { email: 'kim@One.example', hd: 'one.Example' }, 'kim@one.example'],
  ['of another mail service, which Google once verified', google, { email: 'kim@one.example' }, null],
  ['of another domain than the customer', google, { email: 'kim@one.example', hd: 'two.example' }, null],
  ['that only ends like a mailbox at Google', google, { email: 'kim@notgmail.com' }, null],
  ['of a customer that is not a string', google, { email: 'kim@one.example', hd: ['one.example'] }, null],
])('verifiedEmail checks an address %s', (_what, issuer, claims, expected) => {
  expect(verifiedEmail({ email_verified: true, ...claims }, issuer)).toBe(expected)
})
