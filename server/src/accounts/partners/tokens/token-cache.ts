import { hash } from 'node:crypto'
import { ProviderFailure } from '../provider/provider-failure.ts'
import type { AccessToken } from '../provider/request-token.ts'

export interface CachedToken {
  readonly value: string
  /** SHA-256 of the token in base64url, for the claim `ath`. */
  readonly sha256: string
}

/** No token is available; ask again after `pauseMs`. */
export interface NoToken {
  readonly pauseMs: number
}

export interface TokenCache {
  /** Returns the current token or a new one; concurrent callers share one request. */
  readonly obtain: () => Promise<CachedToken | NoToken>
  /**
   * Reports that a receiver refused the token. Unless it is new, another one is fetched; if that fails, this
   * one stays in use.
   */
  readonly distrust: (token: CachedToken) => void
  readonly present: () => KeptToken | null
}

export interface TokenCacheOptions {
  readonly fetchToken: () => Promise<AccessToken>
  readonly onOutcome: (failure: ProviderFailure | null) => void
  /** Token of a previous cache with the same credentials. */
  readonly firstToken: KeptToken | null
  readonly nowMs: () => number
}

const refreshRatio = 0.75
/** Safety margin, so that a token is still valid when the receiver checks it. */
const marginMs = 5_000
const marginRatio = 0.1
const firstPauseMs = 1_000
const longestPauseMs = 30_000
/** A refusal usually persists; the retry covers a fix on the provider's side. */
const refusedPauseMs = 60_000
/** Limits token requests when a receiver refuses every token. */
const leastAgeToDistrustMs = 30_000

export interface KeptToken extends CachedToken {
  readonly receivedAtMs: number
  readonly refreshAtMs: number
  readonly endsAtMs: number
}

/**
 * Caches one access token. It is used until its expiry while the provider is down, but dropped at once on a
 * refusal.
 */
export const createTokenCache = ({
  fetchToken,
  onOutcome,
  firstToken,
  nowMs,
}: TokenCacheOptions): TokenCache => {
  let token = firstToken
  let underWay: Promise<void> | null = null
  let failures = 0
  let pausedUntilMs = 0

  const keep = ({ value, lifeSeconds }: AccessToken, askedAtMs: number): void => {
    const lifeMs = lifeSeconds * 1_000
    token = {
      value,
      sha256: hash('sha256', value, 'base64url'),
      receivedAtMs: askedAtMs,
      refreshAtMs: askedAtMs + lifeMs * refreshRatio,
      endsAtMs: askedAtMs + lifeMs - Math.min(marginMs, lifeMs * marginRatio),
    }
  }

  const fetchOnce = async (): Promise<void> => {
    const askedAtMs = nowMs()
    try {
      keep(await fetchToken(), askedAtMs)
      failures = 0
      onOutcome(null)
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error
      const isRefused = error.kind === 'refused'
      if (isRefused) token = null
      pausedUntilMs =
        nowMs() + (isRefused ? refusedPauseMs : Math.min(firstPauseMs * 2 ** failures, longestPauseMs))
      failures += 1
      onOutcome(error)
    }
  }

  const fetchShared = (): Promise<void> => {
    underWay ??= fetchOnce().finally(() => {
      underWay = null
    })
    return underWay
  }

  const inForce = (): KeptToken | null => (token !== null && nowMs() < token.endsAtMs ? token : null)

  return {
    obtain: async () => {
      const present = inForce()
      const mayAsk = nowMs() >= pausedUntilMs
      if (present !== null) {
        // A failure surfaces when the token has expired.
        if (mayAsk && nowMs() >= present.refreshAtMs) fetchShared().catch(() => {})
        return present
      }
      if (mayAsk) await fetchShared()
      return inForce() ?? { pauseMs: Math.max(0, pausedUntilMs - nowMs()) }
    },
    distrust: ({ value }) => {
      if (token?.value === value && nowMs() - token.receivedAtMs >= leastAgeToDistrustMs)
        token = { ...token, refreshAtMs: nowMs() }
    },
    present: inForce,
  }
}
