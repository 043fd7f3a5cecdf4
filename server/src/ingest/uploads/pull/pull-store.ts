import type { Selectable } from 'kysely'
import type { PullFileJob } from '../../../library/files/queue/file-jobs.ts'
import { enqueuePull } from '../../../library/files/queue/file-pulls.ts'
import type { Database, Queryable, Tx } from '../../../platform/db/database.ts'
import type { PullsTable } from '../../../platform/db/tables/uploads.ts'
import { newId } from '../../../platform/base/ids.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import type { UploadRow } from '../store/upload-store.ts'

export type PullRow = Selectable<PullsTable>

export interface ClaimedPull {
  readonly pull: PullRow
  readonly upload: UploadRow
}

/**
 * Claims the pull for this run. Returns null when a newer attempt exists, the pull is done, or the file or
 * its project is deleted.
 */
export const claimPull = async (queryable: Queryable, job: PullFileJob): Promise<ClaimedPull | null> => {
  const pull = await queryable
    .updateTable('pulls')
    .set({ claim: newId() })
    .where('id', '=', job.pullId)
    .where('attempt', '=', job.attempt)
    .returningAll()
    .executeTakeFirst()
  if (pull === undefined) return null
  const upload = await wantedUpload(queryable, pull)
  if (upload !== null) return { pull, upload }
  await deleteDonePull(queryable, pull)
  return null
}

/** The URL may be a credential, and is no longer needed once the bytes have arrived. */
export const deleteDonePull = async (queryable: Queryable, pull: Pick<PullRow, 'id'>): Promise<void> => {
  await queryable
    .deleteFrom('pulls')
    .where('id', '=', pull.id)
    .where('upload_token_hash', 'in', (query) =>
      query.selectFrom('uploads').select('token_hash').where('completed_at', 'is not', null),
    )
    .execute()
}

const wantedUpload = async (
  queryable: Queryable,
  pull: Pick<PullRow, 'id' | 'claim'>,
): Promise<UploadRow | null> =>
  (await queryable
    .selectFrom('uploads')
    .innerJoin('pulls', 'pulls.upload_token_hash', 'uploads.token_hash')
    .innerJoin('media_files', 'media_files.id', 'uploads.file_id')
    .innerJoin('projects', 'projects.id', 'media_files.project_id')
    .selectAll('uploads')
    .where('pulls.id', '=', pull.id)
    .where('pulls.claim', '=', pull.claim)
    .where('uploads.completed_at', 'is', null)
    .where('media_files.deleted_at', 'is', null)
    .where('projects.deleted_at', 'is', null)
    .executeTakeFirst()) ?? null

/** Returns false when the file was deleted or replaced, or another run took over. */
export const isStillWanted = async (queryable: Queryable, pull: PullRow): Promise<boolean> =>
  (await wantedUpload(queryable, pull)) !== null

/** Records the validator, the size and the staging name of the bytes that are about to arrive. */
export const storeSource = (
  database: Database,
  { pull, upload }: ClaimedPull,
  source: {
    readonly validator: string | null
    readonly sizeBytes: number | null
    readonly stagingName: string
    readonly stagedOn: string | null
  },
): Promise<ClaimedPull | null> =>
  database.transaction(async (tx) => {
    const stored = await tx
      .updateTable('pulls')
      .set({ validator: source.validator })
      .where('id', '=', pull.id)
      .where('claim', '=', pull.claim)
      .returningAll()
      .executeTakeFirst()
    if (stored === undefined) return null
    const staged = await tx
      .updateTable('uploads')
      .set({ size_bytes: source.sizeBytes, staging_name: source.stagingName, staged_on: source.stagedOn })
      .where('token_hash', '=', upload.token_hash)
      .returningAll()
      .executeTakeFirst()
    return staged === undefined ? null : { pull: stored, upload: staged }
  })

/** Returns where the bytes are now; null when the upload is done or deleted. */
export const stagedPlaceOf = async (
  queryable: Queryable,
  upload: UploadRow,
): Promise<Pick<UploadRow, 'staging_name' | 'staged_on'> | null> =>
  (await queryable
    .selectFrom('uploads')
    .innerJoin('media_files', 'media_files.id', 'uploads.file_id')
    .select(['staging_name', 'staged_on'])
    .where('token_hash', '=', upload.token_hash)
    .where('completed_at', 'is', null)
    .where('media_files.deleted_at', 'is', null)
    .executeTakeFirst()) ?? null

export const nextAttempt = async (
  tx: Tx,
  jobs: Jobs,
  job: PullFileJob,
  pull: PullRow,
  next: { readonly fruitlessAttempts: number; readonly startAfter: Date },
): Promise<boolean> => {
  const scheduled = await tx
    .updateTable('pulls')
    .set({ attempt: pull.attempt + 1, fruitless_attempts: next.fruitlessAttempts })
    .where('id', '=', pull.id)
    .where('claim', '=', pull.claim)
    .where('attempt', '=', pull.attempt)
    .executeTakeFirst()
  if (scheduled.numUpdatedRows === 0n) return false
  const file = { account_id: job.accountId, project_id: job.projectId, id: job.fileId }
  await enqueuePull(tx, jobs, file, {
    pullId: pull.id,
    attempt: pull.attempt + 1,
    startAfter: next.startAfter,
  })
  return true
}
