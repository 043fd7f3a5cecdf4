import { sql } from 'kysely'
import type { RelabelFilesJob } from '../../catalog/catalog-jobs.ts'
import { catalogElement, type CatalogEntryRow } from '../../catalog/catalog-record.ts'
import { lockEntryInUse } from '../../catalog/catalog-store.ts'
import type { Database, Tx } from '../../../platform/db/database.ts'
import { fieldOfKind, type FileReferences } from '../record/file-references.ts'
import { changeMediaFile } from '../record/media-file-store.ts'

const batchSize = 500

/** Matches the expression of the index `media_files_by_catalog_entry`. */
const allReferences = sql`((metadata -> 'Category') || (metadata -> 'Videotype') || (metadata -> 'Share'))`

/** Selects files whose reference to the entry is outdated. Deleted files catch up when they are restored. */
const outdatedFiles = (queryable: Tx, job: RelabelFilesJob, entry: CatalogEntryRow | null) =>
  queryable
    .selectFrom('media_files')
    .select('id')
    .where('account_id', '=', job.accountId)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`${allReferences} <> '[]'`)
    .where(sql<boolean>`${allReferences} @> ${JSON.stringify([{ Id: job.entryId }])}::jsonb`)
    .$if(entry !== null, (query) =>
      query.where(
        sql<boolean>`not ${allReferences} @> ${JSON.stringify(entry === null ? [] : [catalogElement(entry)])}::jsonb`,
      ),
    )

/**
 * Writes the current Label and CustomId of an entry into the files that refer to it, or removes a deleted
 * entry. Runs one transaction per file, each with its `file.updated`. Files that are up to date are skipped,
 * so a killed run continues where it stopped.
 */
export const createRelabelFilesHandler = ({
  database,
  publicUrl,
}: {
  readonly database: Database
  readonly publicUrl: string
}) => {
  const relabelFile = async (tx: Tx, job: RelabelFilesJob, fileId: number): Promise<void> => {
    // Locks the entry before the file, as everywhere; see resolveReferences.
    const entry = await lockEntryInUse(tx, job)
    const still = await outdatedFiles(tx, job, entry)
      .where('id', '=', fileId)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (still === undefined) return
    const field = fieldOfKind[job.kind]
    await changeMediaFile(
      tx,
      publicUrl,
      { accountId: job.accountId, fileId },
      (file) => {
        const metadata = file.metadata as unknown as FileReferences
        const elements = metadata[field].flatMap((element) => {
          if (element.Id !== job.entryId) return [element]
          return entry === null ? [] : [catalogElement(entry)]
        })
        return {
          set: { metadata: JSON.stringify({ ...metadata, [field]: elements }) },
          events: ['file.updated'],
        }
      },
      'any-project',
    )
  }

  return async (job: RelabelFilesJob, signal: AbortSignal): Promise<void> => {
    for (;;) {
      const files = await database.transaction(async (tx) =>
        outdatedFiles(tx, job, await lockEntryInUse(tx, job))
          .orderBy('id')
          .limit(batchSize)
          .execute(),
      )
      if (files.length === 0) return
      for (const { id } of files) {
        signal.throwIfAborted()
        await database.transaction((tx) => relabelFile(tx, job, id))
      }
    }
  }
}
