import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database, Tx } from '../../platform/db/database.ts'
import type { ProcessRole } from '../../platform/db/process-roles/login.ts'
import { StartupError } from '../../platform/base/startup-error.ts'
import {
  createLimitedSecrets,
  deriveKeys,
  sealForLiveNodes,
  sealForWorkers,
  writeKeys,
  wrongMasterKey,
  type Secrets,
} from '../../platform/base/secrets.ts'

export const limitedRoles = ['worker', 'live'] as const
/** A role that works without the master key. */
export type LimitedRole = (typeof limitedRoles)[number]

export const isLimited = (role: string): role is LimitedRole =>
  (limitedRoles as readonly string[]).includes(role)

const purposes: Readonly<Record<LimitedRole, readonly string[]>> = {
  worker: [sealForWorkers],
  live: [sealForLiveNodes, 'live nodes'],
}

/** What a process of this role gets in place of the master key. */
export const keysFor = (role: LimitedRole, secrets: Secrets): string =>
  writeKeys(deriveKeys(secrets, purposes[role]))

/** A role must not come to depend on other keys where it shares a process with the API, as in tests. */
export const limitSecrets = (role: LimitedRole, secrets: Secrets): Secrets =>
  createLimitedSecrets(deriveKeys(secrets, purposes[role]))

/** Names the current key of a process, and reveals nothing of it. */
export const keyIdOf = (role: ProcessRole | 'supervisor', { derive }: Secrets): string => {
  const key = derive(isLimited(role) ? (purposes[role][0] ?? '') : 'key id')
  return createHash('sha256').update(key).digest('hex').slice(0, 12)
}

export const sealerOf = { worker: 'workers', live: 'liveNodes' } as const

/** Columns that processes without the master key open. All other sealed columns are for the API. */
export const columnsOfRoles: readonly {
  readonly role: LimitedRole
  readonly table: string
  readonly column: string
}[] = [
  { role: 'worker', table: 'pulls', column: 'sealed_uri' },
  { role: 'worker', table: 'webhooks', column: 'sealed_secret' },
  { role: 'worker', table: 'webhooks', column: 'previous_sealed_secret' },
  { role: 'worker', table: 'identity_providers', column: 'sealed_client_secret' },
  { role: 'worker', table: 'client_keys', column: 'sealed_private_key' },
  { role: 'worker', table: 'webhook_signing_keys', column: 'sealed_private_key' },
  { role: 'worker', table: 'mails', column: 'sealed_params' },
  { role: 'live', table: 'live_streams', column: 'sealed_source_uri' },
  { role: 'live', table: 'live_streams', column: 'sealed_srt_passphrase' },
  { role: 'live', table: 'link_keys', column: 'sealed_keys' },
  { role: 'live', table: 'live_targets', column: 'sealed_uri' },
]

const batchRows = 1_000

/** Null if no key opens the value: it was lost before, and must not prevent the start. */
const openOrNull = ({ open }: Secrets, sealed: Buffer): Buffer | null => {
  try {
    return open(sealed)
  } catch {
    return null
  }
}

/** The first release sealed all values under one key, which only the API has now. */
const sealAgain = async (tx: Tx, secrets: Secrets, one: (typeof columnsOfRoles)[number]): Promise<void> => {
  const table = sql.table(one.table)
  const column = sql.ref(one.column)
  const { rows } = await sql<{ place: string; sealed: Buffer }>`
    select ctid::text as place, ${column} as sealed from ${table} where ${column} is not null for update`.execute(
    tx,
  )
  for (let from = 0; from < rows.length; from += batchRows) {
    const batch = rows.slice(from, from + batchRows).flatMap(({ place, sealed }) => {
      const plaintext = openOrNull(secrets, sealed)
      return plaintext === null ? [] : [{ place, sealed: secrets[sealerOf[one.role]].seal(plaintext) }]
    })
    await sql`
      update ${table} set ${column} = fresh.sealed
      from unnest(
        ${batch.map(({ place }) => place)}::text[]::tid[], ${batch.map(({ sealed }) => sealed)}::bytea[]
      ) as fresh (place, sealed)
      where ${table}.ctid = fresh.place`.execute(tx)
  }
}

const checkText = 'the key of this role is right'
const checkName = (role: LimitedRole): string => `key_check_${role}`

/**
 * Seals values of earlier releases under the keys of the processes that open them, once, and stores what
 * tells a process with keys of another installation. Every other process must be stopped.
 */
export const prepareProcessKeys = (database: Database, secrets: Secrets): Promise<void> =>
  database.transaction(async (tx) => {
    for (const role of limitedRoles) {
      const check = secrets[sealerOf[role]].seal(Buffer.from(checkText)).toString('base64')
      const { numInsertedOrUpdatedRows } = await tx
        .insertInto('installation_settings')
        .values({ name: checkName(role), value: check })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow()
      if (numInsertedOrUpdatedRows === 0n) continue
      for (const one of columnsOfRoles) if (one.role === role) await sealAgain(tx, secrets, one)
    }
  })

/** Seals the checks under the current keys, at the end of a rotation of the master key. */
export const renewKeyChecks = async ({ kysely }: Database, secrets: Secrets): Promise<void> => {
  for (const role of limitedRoles)
    await kysely
      .updateTable('installation_settings')
      .set({ value: secrets[sealerOf[role]].seal(Buffer.from(checkText)).toString('base64') })
      .where('name', '=', checkName(role))
      .execute()
}

/** Throws a StartupError when this process has keys of another installation. */
export const checkProcessKeys = async (
  { kysely }: Database,
  secrets: Secrets,
  role: LimitedRole,
): Promise<void> => {
  const check = await kysely
    .selectFrom('installation_settings')
    .select('value')
    .where('name', '=', checkName(role))
    .executeTakeFirst()
  if (check === undefined)
    throw new StartupError(
      'The database is from an earlier release. Run `./zoetrope migrate` on one node, then start this again.',
    )
  try {
    secrets[sealerOf[role]].open(Buffer.from(check.value, 'base64'))
  } catch (error) {
    throw wrongMasterKey(error)
  }
}
