import { expect, test } from 'vitest'
import { askedAt } from './asked-at.ts'

const google = 'https://accounts.google.com'
const other = 'https://login.example.com'
const start = 1_800_000_000

const outcomeOf = (...parameters: Parameters<typeof askedAt>): unknown => {
  try {
    return askedAt(...parameters)
  } catch (error) {
    return (error as { reason?: unknown }).reason
  }
}

test.each<[string, unknown, string, number | null, unknown]>([
  ['returns the time of an ordinary sign-in', start, other, null, new Date(start * 1_000)],
  ['returns null for an ordinary sign-in without a time', undefined, other, null, null],
  ['accepts a time after the request', start + 5, other, start, new Date((start + 5) * 1_000)],
  ['accepts a clock that is a minute late', start - 60, other, start, new Date((start - 60) * 1_000)],
  ['refuses a time before the request', start - 61, other, start, 'provider_did_not_ask'],
  ['refuses a time before the request from Google, too', start - 61, google, start, 'provider_did_not_ask'],
  ['refuses an answer without a time', undefined, other, start, 'provider_sent_no_auth_time'],
  ['refuses a time that is no number', String(start), other, start, 'provider_sent_no_auth_time'],
  ['accepts an answer without a time from Google', undefined, google, start, expect.any(Date)],
  ['refuses another host of Google', undefined, `${google}.example`, start, 'provider_sent_no_auth_time'],
])('askedAt %s', (_what, authTime, issuer, askAfterSeconds, expected) => {
  expect(outcomeOf(authTime, issuer, askAfterSeconds)).toEqual(expected)
})
