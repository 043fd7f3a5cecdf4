import { exportJWK, generateKeyPair, importJWK, type CryptoKey, type JWK } from 'jose'
import { sql } from 'kysely'
import type { Database, Queryable } from '../../../platform/db/database.ts'
import { newId } from '../../../platform/base/ids.ts'
import { wrongMasterKey, type Secrets } from '../../../platform/base/secrets.ts'

export const signingAlgorithm = 'EdDSA'

export interface SigningKey {
  readonly kid: string
  readonly privateKey: CryptoKey
}

/**
 * Ed25519 keys that sign API keys. The database has the encrypted private keys; public keys are read by kid.
 */
export interface SigningKeys {
  /** Loaded at the start: reading it within a transaction would need a second connection. */
  readonly current: SigningKey
  readonly publicKey: (kid: string) => Promise<CryptoKey | null>
}

/** Any constant works while no other code uses this advisory lock. */
const creationLock = 7_304_013

/** Ignores a kid of another format: unverified token headers must not reach the database. */
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const openSealed = (secrets: Secrets, sealed: Buffer): string => {
  try {
    return secrets.open(sealed).toString('utf8')
  } catch (error) {
    throw wrongMasterKey(error)
  }
}

const readSigningKey = (queryable: Queryable) =>
  queryable
    .selectFrom('signing_keys')
    .select(['kid', 'sealed_private_key'])
    .where('retired_at', 'is', null)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Throws a StartupError when the database belongs to another master key. */
export const checkMasterKey = async ({ kysely }: Database, secrets: Secrets): Promise<void> => {
  const row = await readSigningKey(kysely)
  if (row !== undefined) openSealed(secrets, row.sealed_private_key)
}

const loadOrCreateSigningKey = (database: Database, secrets: Secrets): Promise<SigningKey> =>
  database.transaction(async (tx) => {
    await sql`select pg_advisory_xact_lock(${creationLock})`.execute(tx)
    const row = await readSigningKey(tx)
    if (row !== undefined) {
      const jwk = JSON.parse(openSealed(secrets, row.sealed_private_key)) as JWK
      return { kid: row.kid, privateKey: (await importJWK(jwk, signingAlgorithm)) as CryptoKey }
    }
    const pair = await generateKeyPair(signingAlgorithm, { crv: 'Ed25519', extractable: true })
    const kid = newId()
    await tx
      .insertInto('signing_keys')
      .values({
        kid,
        sealed_private_key: secrets.seal(Buffer.from(JSON.stringify(await exportJWK(pair.privateKey)))),
        public_jwk: JSON.stringify(await exportJWK(pair.publicKey)),
      })
      .execute()
    return { kid, privateKey: pair.privateKey }
  })

export const loadSigningKeys = async (database: Database, secrets: Secrets): Promise<SigningKeys> => {
  const publicKeys = new Map<string, CryptoKey>()
  return {
    current: await loadOrCreateSigningKey(database, secrets),
    publicKey: async (kid) => {
      if (!uuid.test(kid)) return null
      const known = publicKeys.get(kid)
      if (known !== undefined) return known
      const row = await database.kysely
        .selectFrom('signing_keys')
        .select('public_jwk')
        .where('kid', '=', kid)
        .executeTakeFirst()
      if (row === undefined) return null
      const key = (await importJWK(row.public_jwk as JWK, signingAlgorithm)) as CryptoKey
      publicKeys.set(kid, key)
      return key
    },
  }
}
