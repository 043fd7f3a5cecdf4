import type { CatalogKind } from '../kernel/db/tables.ts'
import type { JobDefinition } from '../kernel/jobs/jobs.ts'

export interface RelabelFilesJob {
  readonly accountId: number
  readonly kind: CatalogKind
  readonly entryId: number
}

/**
 * Brings the records of the files that refer to an entry up to date; asked for when it is renamed or deleted. Not exclusive: one that is
 * under way has perhaps read the label before the change that asks for the next.
 */
export const relabelFilesJob: JobDefinition<RelabelFilesJob> = {
  name: 'file.relabel',
  retryLimit: 20,
  expireInSeconds: 24 * 3_600,
}
