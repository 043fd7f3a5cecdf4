import { timingSafeEqual } from 'node:crypto'
import { newUrlToken } from '../../platform/base/ids.ts'
import { hmacSha256 } from '../../platform/base/secrets.ts'
import type { SignInAttempt } from '../partners/sign-in/redeem-sign-in.ts'

export const attemptSeconds = 600

export interface SsoStates {
  /** `browser` is the secret in the cookie; without it the attempt cannot be used. */
  readonly begin: (
    browser: string,
    accountId: number,
    nowMs: number,
    options?: { readonly mustAsk: boolean },
  ) => SignInAttempt
  /** Null for a state of another browser or account, an expired one or a forged one. */
  readonly resume: (state: string, browser: string, accountId: number, nowMs: number) => SignInAttempt | null
}

const shape = /^([A-Za-z0-9_-]{43})\.([0-9]{1,12})(\.ask)?\.([A-Za-z0-9_-]{43})$/

/**
 * The state contains its creation time, whether the provider must ask the person again, and a proof of its browser and
 * account, so abandoned attempts need no storage.
 */
export const createSsoStates = (key: Buffer): SsoStates => {
  const derive = (...parts: (string | number)[]): string =>
    hmacSha256(key, parts.join(' ')).toString('base64url')

  const attemptOf = (
    browser: string,
    accountId: number,
    { id, seconds, mustAsk }: { readonly id: string; readonly seconds: number; readonly mustAsk: boolean },
  ): SignInAttempt => ({
    state: `${id}.${seconds}${mustAsk ? '.ask' : ''}.${derive(mustAsk ? 'asking state' : 'state', browser, accountId, id, seconds)}`,
    nonce: derive('nonce', browser, accountId, id, seconds),
    // RFC 7636, section 4.1: 43 characters of this alphabet.
    codeVerifier: derive('verifier', browser, accountId, id, seconds),
    askAfterSeconds: mustAsk ? seconds : null,
  })

  return {
    begin: (browser, accountId, nowMs, { mustAsk } = { mustAsk: false }) =>
      attemptOf(browser, accountId, { id: newUrlToken(), seconds: Math.floor(nowMs / 1_000), mustAsk }),
    resume: (state, browser, accountId, nowMs) => {
      const [, id = '', seconds = '', ask] = shape.exec(state) ?? []
      const attempt = attemptOf(browser, accountId, {
        id,
        seconds: Number(seconds),
        mustAsk: ask !== undefined,
      })
      const wanted = Buffer.from(attempt.state)
      const given = Buffer.from(state)
      const isOurs = wanted.length === given.length && timingSafeEqual(wanted, given)
      const ageSeconds = nowMs / 1_000 - Number(seconds)
      return isOurs && ageSeconds <= attemptSeconds ? attempt : null
    },
  }
}
