import { expect, test } from 'vitest'
import { createSsoStates } from './sso-states.ts'

const states = createSsoStates(Buffer.alloc(32, 1))
const browser = 'b'.repeat(43)
const nowMs = 1_772_366_400_000
const attempt = states.begin(browser, 7, nowMs)

test('a state can be resumed for ten minutes by its browser and account only', () => {
  expect(states.resume(attempt.state, browser, 7, nowMs + 600_000)).toEqual(attempt)
  expect(states.resume(attempt.state, browser, 7, nowMs + 601_000)).toBeNull()
  expect(states.resume(attempt.state, 'c'.repeat(43), 7, nowMs)).toBeNull()
  expect(states.resume(attempt.state, browser, 8, nowMs)).toBeNull()
  expect(createSsoStates(Buffer.alloc(32, 2)).resume(attempt.state, browser, 7, nowMs)).toBeNull()
  expect(attempt.codeVerifier).toMatch(/^[\w-]{43}$/)
  expect(states.begin(browser, 7, nowMs).nonce).not.toBe(attempt.nonce)
})

test('a state contains whether the provider must ask again, and rejects a change of it', () => {
  const asking = states.begin(browser, 7, nowMs, { mustAsk: true })
  expect(states.resume(asking.state, browser, 7, nowMs)).toEqual({
    ...asking,
    askAfterSeconds: nowMs / 1_000,
  })
  expect(states.resume(asking.state.replace('.ask', ''), browser, 7, nowMs)).toBeNull()
  const [first, ...rest] = attempt.state.split(/(?=\.[^.]+$)/)
  expect(states.resume(`${first}.ask${rest.join('')}`, browser, 7, nowMs)).toBeNull()
})

const [id = '', seconds = '', proof = ''] = attempt.state.split('.')
test.each([
  '',
  '..',
  `${id}.${Number(seconds) + 1}.${proof}`,
  `${id}.0${seconds}.${proof}`,
  `${id}.${seconds}.${proof}x`,
  `${id}.${seconds}.${'A'.repeat(43)}`,
  `${id}.1e9.${proof}`,
])('rejects the state %j', (state) => {
  expect(states.resume(state, browser, 7, nowMs)).toBeNull()
})
