import { hash } from 'node:crypto'
import { ProviderFailure } from './provider-failure.ts'
import type { AccessToken } from './request-token.ts'

export interface CachedToken {
  readonly value: string
  /** base64url of its SHA-256, for the claim `ath`. */
  readonly sha256: string
}

/** There is no token now; `heldMs` says when to ask again. */
export interface NoToken {
  readonly heldMs: number
}

export interface TokenCache {
  /** The token in force, or a new one: however many ask, one request is under way. */
  readonly obtain: () => Promise<CachedToken | NoToken>
  /** A receiver refused this token: unless it is quite new, another one is fetched; while that fails this one goes on. */
  readonly distrust: (token: CachedToken) => void
  /** For the cache that takes the place of this one. */
  readonly present: () => KeptToken | null
}

export interface TokenCacheOptions {
  readonly fetchToken: () => Promise<AccessToken>
  /** Told of each success and failure of the provider. */
  readonly onOutcome: (failure: ProviderFailure | null) => void
  /** What a former cache of the same credentials held. */
  readonly firstToken: KeptToken | null
  readonly nowMs: () => number
}

const refreshRatio = 0.75
/** A token that is sent must still hold when the receiver looks at it. */
const marginMs = 5_000
const marginRatio = 0.1
const firstPauseMs = 1_000
const longestPauseMs = 30_000
/** A provider that refuses will go on to do so: it is asked again in case that was mended on its side. */
const refusedPauseMs = 60_000
/** A receiver that refuses every token must not make us ask for one with each delivery. */
const leastAgeToDistrustMs = 30_000

export interface KeptToken extends CachedToken {
  readonly receivedAtMs: number
  readonly refreshAtMs: number
  readonly endsAtMs: number
}

/** Keeps one access token. While the provider is down it is used until its end; a refusal ends it at once. */
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
        // What goes wrong here shows when the token has ended.
        if (mayAsk && nowMs() >= present.refreshAtMs) fetchShared().catch(() => {})
        return present
      }
      if (mayAsk) await fetchShared()
      return inForce() ?? { heldMs: Math.max(0, pausedUntilMs - nowMs()) }
    },
    distrust: ({ value }) => {
      if (token?.value === value && nowMs() - token.receivedAtMs >= leastAgeToDistrustMs)
        token = { ...token, refreshAtMs: nowMs() }
    },
    present: inForce,
  }
}
