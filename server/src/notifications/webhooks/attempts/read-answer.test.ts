import { describe, expect, it } from 'vitest'
import { readAnswer } from './read-answer.ts'

const now = new Date('2026-03-01T12:00:00Z')
const read = (status: number, retryAfter?: string | string[]) =>
  readAnswer(
    { status, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter }, bodyExcerpt: '' },
    now,
  )

describe('readAnswer', () => {
  it.each([200, 201, 202, 204, 299])('treats %i as success', (status) => {
    expect(read(status)).toEqual({ verdict: 'delivered', error: null, retryAfterSeconds: null })
  })

  it.each([
    [301, 'redirect 301'],
    [307, 'redirect 307'],
    [400, 'answered 400'],
    [401, 'answered 401'],
    [404, 'answered 404'],
    [429, 'answered 429'],
    [500, 'answered 500'],
    [503, 'answered 503'],
  ])('treats %i as a failure to retry', (status, words) => {
    expect(read(status)).toMatchObject({
      verdict: 'refused',
      error: { text: expect.stringContaining(words), params: { status } },
    })
  })

  it('treats 410 as a request to stop sending', () => {
    expect(read(410, '60')).toMatchObject({ verdict: 'gone', retryAfterSeconds: null })
  })

  it.each([
    ['120', 120],
    [' 7 ', 7],
    ['0', 0],
    ['Sun, 01 Mar 2026 12:01:30 GMT', 90],
    ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
    [['30', '60'], 30],
    ['soon', null],
    ['', null],
    ['99999999999999999999', null],
  ])('parses Retry-After: %s as %s seconds', (header, seconds) => {
    expect(read(503, header).retryAfterSeconds).toBe(seconds)
  })
})
