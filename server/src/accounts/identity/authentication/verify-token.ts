import { jwtVerify } from 'jose'
import { LRUCache } from 'lru-cache'
import { unauthorized } from '../../../platform/http/requests/authenticate.ts'
import type { Database } from '../../../platform/db/database.ts'
import { hashToken } from '../../../platform/base/ids.ts'
import { apiKeyAudience, apiKeyType, isOpaqueToken } from './api-keys.ts'
import { hasExpired, readLiveKey } from './live-key.ts'
import type { Caller } from '../permissions/principal.ts'
import { signingAlgorithm, type SigningKeys } from './signing-keys.ts'

/** Longer than any valid token, short enough that parsing invalid ones costs nothing. */
const maxTokenLength = 4_096
/**
 * The API promises that a revoked key, or a demoted or disabled user, has no rights on any node after 2 s.
 */
const recheckMs = 1_500
const lastUsedResolutionMs = 60_000
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

interface SignedToken {
  readonly jti: string
  readonly expiresAtMs: number
}

interface VerifiedToken extends SignedToken {
  readonly caller: Caller
  readonly goodUntilMs: number
  lastUsedWrittenAtMs: number
}

export interface TokenVerifier {
  /**
   * Throws Problem 'key_expired' for an expired key, and 'unauthorized' for every other token without a live
   * key. `beforeUnknown` may throw to skip a token that is not cached: only these cost a signature check.
   */
  readonly verify: (token: string, beforeUnknown?: () => void) => Promise<Caller>
  readonly known: (token: string) => Caller | null
  /** Records a use of the key that `verify` returned, at most once a minute. */
  readonly touch: (token: string, address: string) => void
  /** Drops a cached key in this process at once; other processes check again within two seconds. */
  readonly evict: (jti: string) => void
  readonly evictUser: (userId: number) => void
}

const refused = () => unauthorized('api_key_invalid')
const expired = () => unauthorized('api_key_expired')

/**
 * Verifying an EdDSA signature costs 250 µs, so verified tokens are cached. Their rows are read again at most
 * every 1.5 s, which limits how long revocations and role changes take on every node. The cache key is the
 * token itself, because hashing it was 6 % of a small GET. An attacker who can read this memory also finds
 * the key that signs tokens.
 */
export const createTokenVerifier = (
  database: Database,
  signingKeys: SigningKeys,
  issuer: string,
): TokenVerifier => {
  const cache = new LRUCache<string, VerifiedToken>({ max: 10_000 })

  const verifySignature = async (token: string): Promise<SignedToken> => {
    const { payload } = await jwtVerify(
      token,
      async (header) => {
        const key = typeof header.kid === 'string' ? await signingKeys.publicKey(header.kid) : null
        if (key === null) throw refused()
        return key
      },
      {
        algorithms: [signingAlgorithm],
        audience: apiKeyAudience,
        issuer,
        typ: apiKeyType,
        requiredClaims: ['jti', 'sub'],
      },
    )
    if (typeof payload.jti !== 'string' || !uuid.test(payload.jti)) throw refused()
    return { jti: payload.jti, expiresAtMs: payload.exp === undefined ? Infinity : payload.exp * 1_000 }
  }

  /** Found by its hash in an index, so that the time of the comparison reveals nothing. */
  const findOpaque = async (token: string): Promise<SignedToken> => {
    const row = await database.kysely
      .selectFrom('api_keys')
      .select('jti')
      .where('token_hash', '=', hashToken(token))
      .executeTakeFirst()
    if (row === undefined) throw refused()
    return { jti: row.jti, expiresAtMs: Infinity }
  }

  const touch = (token: string, address: string): void => {
    const entry = cache.get(token)
    const nowMs = Date.now()
    if (entry === undefined || nowMs - entry.lastUsedWrittenAtMs < lastUsedResolutionMs) return
    entry.lastUsedWrittenAtMs = nowMs
    // Only informative: a failed write must not fail the request.
    database.kysely
      .updateTable('api_keys')
      .set({ last_used_at: new Date(nowMs), last_used_address: address })
      .where('jti', '=', entry.jti)
      // Another process may have written it in this minute.
      .where((where) =>
        where.or([
          where('last_used_at', 'is', null),
          where('last_used_at', '<=', new Date(nowMs - lastUsedResolutionMs)),
        ]),
      )
      .execute()
      .catch(() => {
        entry.lastUsedWrittenAtMs = 0
      })
  }

  return {
    touch,
    known: (token) => {
      const entry = token.length > maxTokenLength ? undefined : cache.get(token)
      return entry !== undefined && Date.now() < entry.goodUntilMs ? entry.caller : null
    },
    verify: async (token, beforeUnknown) => {
      if (token.length > maxTokenLength) throw refused()
      const nowMs = Date.now()
      const known = cache.get(token)
      if (known !== undefined && nowMs < known.goodUntilMs) return known.caller
      if (known === undefined) beforeUnknown?.()
      const signed =
        known ??
        (await (isOpaqueToken(token) ? findOpaque(token) : verifySignature(token)).catch((error: unknown) => {
          const { code } = error as { code?: string }
          if (code === 'ERR_JWT_EXPIRED') throw expired()
          if (code?.startsWith('ERR_J') === true) throw refused()
          throw error
        }))
      const live = nowMs < signed.expiresAtMs ? await readLiveKey(database.kysely, signed.jti) : null
      if (live === null) {
        cache.delete(token)
        throw nowMs >= signed.expiresAtMs || (await hasExpired(database.kysely, signed.jti))
          ? expired()
          : refused()
      }
      const entry: VerifiedToken = {
        jti: signed.jti,
        expiresAtMs: signed.expiresAtMs,
        caller: live,
        goodUntilMs: Math.min(nowMs + recheckMs, signed.expiresAtMs, live.expiresAt?.getTime() ?? Infinity),
        lastUsedWrittenAtMs: known?.lastUsedWrittenAtMs ?? 0,
      }
      cache.set(token, entry)
      return live
    },
    evict: (jti) => {
      for (const [token, entry] of cache.entries()) if (entry.jti === jti) cache.delete(token)
    },
    evictUser: (userId) => {
      for (const [token, entry] of cache.entries()) if (entry.caller.userId === userId) cache.delete(token)
    },
  }
}
