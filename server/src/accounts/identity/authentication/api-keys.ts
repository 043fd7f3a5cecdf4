import { randomBytes } from 'node:crypto'
import { SignJWT } from 'jose'
import type { Queryable } from '../../../platform/db/database.ts'
import { hashToken, newId } from '../../../platform/base/ids.ts'
import type { ApiKeyRow, TokenFormat } from '../store/api-key-record.ts'
import type { SigningKeys } from './signing-keys.ts'
import { signingAlgorithm } from './signing-keys.ts'

export const apiKeyAudience = 'api'
export const apiKeyType = 'at+jwt'

export interface NewApiKey {
  readonly accountId: number
  readonly userId: number
  readonly label: string
  readonly scopes: readonly string[]
  /** Null = all projects of the account. */
  readonly projectIds: readonly number[] | null
  /** In whole seconds, as `exp` in the token: RFC 7519 allows fractions, many readers do not. */
  readonly expiresAt: Date | null
  /** Networks that the key may be used from; null = all. */
  readonly allowedNetworks: readonly string[] | null
  readonly format?: TokenFormat
}

export interface IssuedApiKey {
  readonly row: ApiKeyRow
  /** Shown once; the database stores only its last four characters. */
  readonly token: string
}

const opaquePrefix = 'zk_'
/** Without letters that look alike. Each character has five bits. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const secretLength = 32

const newOpaqueToken = (): string =>
  opaquePrefix + [...randomBytes(secretLength)].map((byte) => alphabet[byte % alphabet.length]).join('')

export const isOpaqueToken = (token: string): boolean =>
  token.startsWith(opaquePrefix) && token.length === opaquePrefix.length + secretLength

/** Signs the JWT that contains the id of the key (`typ: at+jwt`, EdDSA, `kid`). */
const signToken = (
  { current: { kid, privateKey } }: SigningKeys,
  issuer: string,
  key: NewApiKey,
  { jti, createdAt }: { readonly jti: string; readonly createdAt: Date },
): Promise<string> => {
  const claims = new SignJWT({ acc: key.accountId, scope: key.scopes.join(' ') })
    .setProtectedHeader({ typ: apiKeyType, alg: signingAlgorithm, kid })
    .setIssuer(issuer)
    .setSubject(String(key.userId))
    .setAudience(apiKeyAudience)
    .setJti(jti)
    .setIssuedAt(createdAt)
  if (key.expiresAt !== null) claims.setExpirationTime(key.expiresAt)
  return claims.sign(privateKey)
}

/** Inserts the key's row and makes its token. */
export const issueApiKey = async (
  queryable: Queryable,
  signingKeys: SigningKeys,
  issuer: string,
  key: NewApiKey,
): Promise<IssuedApiKey> => {
  const jti = newId()
  const createdAt = new Date()
  const isOpaque = key.format === 'opaque'
  const token = isOpaque ? newOpaqueToken() : await signToken(signingKeys, issuer, key, { jti, createdAt })
  const row = await queryable
    .insertInto('api_keys')
    .values({
      jti,
      account_id: key.accountId,
      user_id: key.userId,
      label: key.label,
      scopes: [...key.scopes],
      project_ids: key.projectIds === null ? null : [...key.projectIds],
      last_four: token.slice(-4),
      created_at: createdAt,
      expires_at: key.expiresAt,
      token_expires_at: key.expiresAt,
      allowed_networks: key.allowedNetworks === null ? null : [...key.allowedNetworks],
      token_hash: isOpaque ? hashToken(token) : null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { row, token }
}
