import { SignJWT } from 'jose'
import type { Selectable } from 'kysely'
import type { Database, Queryable } from '../kernel/db/database.ts'
import type { ApiKeysTable } from '../kernel/db/tables.ts'
import { newId } from '../kernel/ids.ts'
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
  readonly expiresAt: Date | null
}

export type ApiKeyRow = Selectable<ApiKeysTable>

export interface IssuedApiKey {
  readonly row: ApiKeyRow
  /** Shown once; only its last four characters are stored. */
  readonly token: string
}

/** Writes the key's row and signs the JWT that names it (design.md section 7: `typ: at+jwt`, EdDSA, `kid`). */
export const issueApiKey = async (
  queryable: Queryable,
  signingKeys: SigningKeys,
  issuer: string,
  key: NewApiKey,
): Promise<IssuedApiKey> => {
  const { kid, privateKey } = await signingKeys.current()
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
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { row, token }
}

/** All keys of the account, newest first, revoked ones too. */
export const listApiKeys = ({ kysely }: Database, accountId: number): Promise<ApiKeyRow[]> =>
  kysely
    .selectFrom('api_keys')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .execute()

/** The first of these ids that is no live project of the account; undefined when all are. */
export const findUnknownProject = async (
  { kysely }: Database,
  accountId: number,
  projectIds: readonly number[],
): Promise<number | undefined> => {
  const rows = await kysely
    .selectFrom('projects')
    .select('id')
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .where('id', 'in', [...projectIds, 0])
    .execute()
  const existing = new Set(rows.map(({ id }) => id))
  return projectIds.find((id) => !existing.has(id))
}

/** Marks the key revoked; false when the account has no such live key. */
export const revokeApiKey = async (database: Database, accountId: number, jti: string): Promise<boolean> => {
  const result = await database.kysely
    .updateTable('api_keys')
    .set({ revoked_at: new Date() })
    .where('account_id', '=', accountId)
    .where('jti', '=', jti)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}
