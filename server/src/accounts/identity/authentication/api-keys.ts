import { SignJWT } from 'jose'
import type { Queryable } from '../../../platform/db/database.ts'
import { newId } from '../../../platform/base/ids.ts'
import type { ApiKeyRow } from '../store/api-key-record.ts'
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
}

export interface IssuedApiKey {
  readonly row: ApiKeyRow
  /** Shown once; the database stores only its last four characters. */
  readonly token: string
}

/** Inserts the key's row and signs the JWT that contains its id (`typ: at+jwt`, EdDSA, `kid`). */
export const issueApiKey = async (
  queryable: Queryable,
  signingKeys: SigningKeys,
  issuer: string,
  key: NewApiKey,
): Promise<IssuedApiKey> => {
  const { kid, privateKey } = signingKeys.current
  const jti = newId()
  const createdAt = new Date()
  const claims = new SignJWT({ acc: key.accountId, scope: key.scopes.join(' ') })
    .setProtectedHeader({ typ: apiKeyType, alg: signingAlgorithm, kid })
    .setIssuer(issuer)
    .setSubject(String(key.userId))
    .setAudience(apiKeyAudience)
    .setJti(jti)
    .setIssuedAt(createdAt)
  if (key.expiresAt !== null) claims.setExpirationTime(key.expiresAt)
  const token = await claims.sign(privateKey)
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
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { row, token }
}
