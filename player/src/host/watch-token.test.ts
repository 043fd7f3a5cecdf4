import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createAddresses } from '../engine/addresses.ts'
import { watchToken } from './watch-token.ts'

const serverStartsAtMs = Date.parse('2026-11-28T10:00:00.500Z')
const hourMs = 3_600_000

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Imitates a page that answers each event with a new link, for as long as given. Links are valid for an hour. */
const watch = async (aheadMs: number, { forMs = 2 * hourMs, isTimeKnown = true, answerMs = 300 } = {}) => {
  vi.setSystemTime(serverStartsAtMs + aheadMs)
  const serverNow = () => Date.now() - aheadMs
  const sign = () => {
    const expirySeconds = Math.floor((serverNow() + hourMs) / 1_000)
    return { expiresAtMs: expirySeconds * 1_000, token: `kv1.${expirySeconds.toString(36)}.a` }
  }
  const first = sign()
  let validUntilMs = first.expiresAtMs
  const left = isTimeKnown ? String(first.expiresAtMs - serverNow()) : undefined
  const addresses = createAddresses(`/s/${first.token}/v/id`, left)
  let signatures = 0
  const renew = (): void => {
    signatures += 1
    setTimeout(() => {
      const { token, expiresAtMs } = sign()
      if (!addresses.setToken(token)) return
      validUntilMs = expiresAtMs
      restart()
    }, answerMs)
  }
  const restart = watchToken(addresses, { expiring: renew, expired: renew })
  let expiredMs = 0
  for (let passedMs = 0; passedMs < forMs; passedMs += 1_000) {
    await vi.advanceTimersByTimeAsync(1_000)
    if (serverNow() >= validUntilMs) expiredMs += 1_000
  }
  return { signatures, expiredMs }
}

test.each([
  ['right', 0],
  ['five minutes behind', -300_000],
  ['two hours ahead', 2 * hourMs],
])(
  'asks for a link a minute before its expiry, when the clock of the viewer is %s',
  async (_name, aheadMs) => {
    for (const answerMs of [300, 1_100])
      expect(await watch(aheadMs, { answerMs })).toEqual({ signatures: 2, expiredMs: 0 })
  },
)

test('waits five seconds after a new link when nothing is known and the clock is ahead', async () => {
  const { signatures } = await watch(2 * hourMs, { forMs: 60_000, isTimeKnown: false, answerMs: 1_100 })
  expect(signatures).toBeLessThanOrEqual(2 * 11)
})
