import { hostname } from 'node:os'
import { diskNameOf } from '../../../library/files/media/disk-name.ts'
import { sql } from 'kysely'
import type { Database, Queryable } from '../../../platform/db/database.ts'
import { Problem } from '../../../platform/base/problem.ts'
import type { DiskStaging } from './disk-staging.ts'
import { isStagingName } from './staging.ts'
import { stagedOnS3, type Stagings } from './stagings.ts'

/** Id of the data folder with the staged bytes, and the machine of that folder. */
export interface StagingOwner {
  readonly disk: string
  readonly host: string
}

export interface OwnedRow {
  readonly token_hash: Buffer
  readonly staged_on: string | null
  readonly staged_by: string | null
}

type OwnedTable = 'uploads' | 'upload_parts'

export const stagingOwnerOf = async (dataFolder: string): Promise<StagingOwner> => ({
  disk: await diskNameOf(dataFolder),
  host: hostname(),
})

const elsewhere = (owner: string): Problem =>
  new Problem(
    'upload_on_other_node',
    {},
    {
      headers: { 'Retry-After': '5' },
      cause: new Error(
        `the bytes of this upload are on the disk of node ${owner}: the load balancer must send requests for one upload URL to one node`,
      ),
    },
  )

/**
 * Throws 'unavailable' when the bytes are on the disk of another node: an offset from here would be wrong.
 */
export const checkIsHere = (owner: StagingOwner, row: OwnedRow): void => {
  if (row.staged_on !== null && row.staged_on !== stagedOnS3 && row.staged_on !== owner.disk)
    throw elsewhere(row.staged_by ?? row.staged_on)
}

/**
 * Assigns the bytes to the disk of this node, or to the bucket, before the first of them is written. Succeeds
 * for one of two concurrent nodes. Returns the `staged_on` that now holds.
 */
export const claimBytes = async (
  queryable: Queryable,
  { owner, stagings }: { readonly owner: StagingOwner; readonly stagings: Pick<Stagings, 'present'> },
  table: OwnedTable,
  row: OwnedRow,
): Promise<string> => {
  checkIsHere(owner, row)
  if (row.staged_on !== null) return row.staged_on
  const claim =
    stagings.present === 's3'
      ? { staged_on: stagedOnS3, staged_by: null }
      : { staged_on: owner.disk, staged_by: owner.host }
  const claimed = await queryable
    .updateTable(table)
    .set(claim)
    .where('token_hash', '=', row.token_hash)
    .where('staged_on', 'is', null)
    .executeTakeFirst()
  if (claimed.numUpdatedRows > 0n) return claim.staged_on
  const now = await queryable
    .selectFrom(table)
    .select(['token_hash', 'staged_on', 'staged_by'])
    .where('token_hash', '=', row.token_hash)
    .executeTakeFirst()
  if (now !== undefined) checkIsHere(owner, now)
  return now?.staged_on ?? claim.staged_on
}

/**
 * Uploads of an earlier release name no node, and those of a restored backup name the disk that they were
 * copied from.
 */
export const claimStagedBytes = async (
  { kysely }: Database,
  staging: DiskStaging,
  owner: StagingOwner,
): Promise<void> => {
  const names = (await staging.list()).map(({ name }) => name).filter(isStagingName)
  if (names.length === 0) return
  for (const table of ['uploads', 'upload_parts'] as const)
    await kysely
      .updateTable(table)
      .set({ staged_on: owner.disk, staged_by: owner.host })
      .where(sql<boolean>`staging_name = any (${names}::uuid[])`)
      .where('staged_on', 'is distinct from', owner.disk)
      .execute()
}
