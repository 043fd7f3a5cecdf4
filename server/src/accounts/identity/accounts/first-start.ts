import { randomBytes } from 'node:crypto'
import { hash } from '@node-rs/argon2'
import { sql } from 'kysely'
import type { Database, Tx } from '../../../platform/db/database.ts'
import { insertAccount } from './account-store.ts'
import type { SigningKeys } from '../authentication/signing-keys.ts'

export interface FirstCredentials {
  readonly email: string
  readonly password: string
  readonly apiKey: string
  /** Separate key for the command line of this machine. */
  readonly cliApiKey: string
}

/** Any constant works while no other code uses this advisory lock. */
const firstStartLock = 7_304_003
const administratorEmail = 'admin@zoetrope.local'

const hasAccount = async (connection: Pick<Tx, 'selectFrom'>): Promise<boolean> =>
  (await connection.selectFrom('accounts').select('id').limit(1).executeTakeFirst()) !== undefined

/**
 * Creates the first account with its administrator and API keys; returns null when one exists. Two nodes that
 * start at once create only one. The password and the keys are not stored in plain text. `keep` receives them
 * before the commit, so that a crash in between leaves no inaccessible account.
 */
export const createFirstAccount = async (
  database: Database,
  signingKeys: SigningKeys,
  issuer: string,
  keep: (credentials: FirstCredentials) => Promise<void>,
): Promise<FirstCredentials | null> => {
  // A later start saves the time of the hash.
  if (await hasAccount(database.kysely)) return null
  const password = randomBytes(15).toString('base64url')
  const passwordHash = await hash(password)
  return database.transaction(async (tx) => {
    await sql`select pg_advisory_xact_lock(${firstStartLock})`.execute(tx)
    if (await hasAccount(tx)) return null
    const { newKey } = await insertAccount(
      tx,
      { signingKeys, issuer },
      { name: 'My company', email: administratorEmail, passwordHash },
    )
    const apiKey = await newKey('First key')
    const cliApiKey = await newKey('Command line of the first machine')
    const credentials = {
      email: administratorEmail,
      password,
      apiKey: apiKey.token,
      cliApiKey: cliApiKey.token,
    }
    await keep(credentials)
    return credentials
  })
}

/** Issuer in every token: random per installation, so that keys of one are invalid on another. */
export const loadOrCreateIssuer = async (database: Database): Promise<string> => {
  await database.kysely
    .insertInto('installation_settings')
    .values({ name: 'issuer', value: `urn:uuid:${crypto.randomUUID()}` })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  const row = await database.kysely
    .selectFrom('installation_settings')
    .select('value')
    .where('name', '=', 'issuer')
    .executeTakeFirstOrThrow()
  return row.value
}
