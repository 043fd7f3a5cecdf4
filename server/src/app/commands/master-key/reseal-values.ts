import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import type { Secrets } from '../../../platform/base/secrets.ts'
import { columnsOfRoles, renewKeyChecks, sealerOf } from '../../roles/process-keys.ts'

interface SealedColumn {
  readonly table: string
  readonly column: string
  /** An object of sealed values in base64, instead of one value. */
  readonly isObject: boolean
}

export interface Resealed {
  /** Values that were sealed under the former key. */
  readonly changed: number
  /** Values that no key opens; they were lost before. */
  readonly unreadable: number
}

const batchRows = 200

/** Finds all sealed columns by their name, so that a new one is not forgotten. */
const sealedColumns = async ({ kysely }: Database): Promise<SealedColumn[]> => {
  const { rows } = await sql<SealedColumn>`
    select table_name as table, column_name as column, data_type = 'jsonb' as "isObject"
    from information_schema.columns
    where table_schema = current_schema() and data_type in ('bytea', 'jsonb') and column_name like '%sealed%'
    order by 1, 2`.execute(kysely)
  return rows
}

type AnySealer = Pick<Secrets, 'seal' | 'open' | 'isCurrent'>

const sealerFor = (secrets: Secrets, { table, column }: SealedColumn): AnySealer => {
  // Workers send the headers of webhooks.
  if (table === 'webhooks') return secrets.workers
  const owner = columnsOfRoles.find((one) => one.table === table && one.column === column)
  return owner === undefined ? secrets : secrets[sealerOf[owner.role]]
}

/** Returns null for a value that is current, and throws for one that no key opens. */
const renew = (sealer: AnySealer, sealed: Buffer): Buffer | null =>
  sealer.isCurrent(sealed) ? null : sealer.seal(sealer.open(sealed))

/** The same for an object of values. */
const renewObject = (sealer: AnySealer, sealed: Buffer): Buffer | null => {
  const values = Object.entries(JSON.parse(sealed.toString()) as Record<string, string>)
  const renewed = values.map(([name, value]) => [name, renew(sealer, Buffer.from(value, 'base64'))] as const)
  if (renewed.every(([, value]) => value === null)) return null
  const texts = renewed.map(([name, value], index) => [name, value?.toString('base64') ?? values[index]?.[1]])
  return Buffer.from(JSON.stringify(Object.fromEntries(texts)))
}

/**
 * Seals the values of one column under the current key, in transactions of a few rows. A row that changes
 * meanwhile moves behind the scan and is read again.
 */
const resealColumn = async (
  database: Database,
  sealer: AnySealer,
  at: SealedColumn,
  onBatch: (changed: number) => void,
): Promise<Resealed> => {
  const [table, column] = [sql.table(at.table), sql.ref(at.column)]
  const [renewOne, read, write] = at.isObject
    ? [
        renewObject,
        sql`convert_to(${column}::text, 'UTF8')`,
        sql`convert_from(renewed.sealed, 'UTF8')::jsonb`,
      ]
    : [renew, column, sql`renewed.sealed`]
  const total = { changed: 0, unreadable: 0 }
  let last = '(0,0)'
  for (;;) {
    const batch = await database.transaction(async (tx) => {
      const { rows } = await sql<{ place: string; sealed: Buffer | null }>`
        select ctid::text as place, ${read} as sealed from ${table}
        where ctid > ${last}::tid order by ctid limit ${batchRows} for no key update`.execute(tx)
      const renewed: { readonly place: string; readonly sealed: Buffer }[] = []
      let unreadable = 0
      for (const { place, sealed } of rows) {
        try {
          const value = sealed === null ? null : renewOne(sealer, sealed)
          if (value !== null) renewed.push({ place, sealed: value })
        } catch {
          unreadable += 1
        }
      }
      if (renewed.length > 0)
        await sql`
          update ${table} set ${column} = ${write}
          from unnest(
            ${renewed.map(({ place }) => place)}::text[]::tid[], ${renewed.map(({ sealed }) => sealed)}::bytea[]
          ) as renewed (place, sealed)
          where ${table}.ctid = renewed.place`.execute(tx)
      return { next: rows.at(-1)?.place, changed: renewed.length, unreadable }
    })
    total.changed += batch.changed
    total.unreadable += batch.unreadable
    onBatch(batch.changed)
    if (batch.next === undefined) return total
    last = batch.next
  }
}

/**
 * Seals everything in the database under the current master key. It can be killed and repeated at any time.
 * Repeats until a pass finds nothing, because another process may still have written under the former key.
 */
export const resealValues = async (
  database: Database,
  secrets: Secrets,
  onBatch: (changed: number) => void = () => {},
): Promise<Resealed> => {
  const columns = await sealedColumns(database)
  let changed = 0
  for (;;) {
    const pass = { changed: 0, unreadable: 0 }
    for (const one of columns) {
      const found = await resealColumn(database, sealerFor(secrets, one), one, onBatch)
      pass.changed += found.changed
      pass.unreadable += found.unreadable
    }
    changed += pass.changed
    if (pass.changed === 0) {
      await renewKeyChecks(database, secrets)
      return { changed, unreadable: pass.unreadable }
    }
  }
}
