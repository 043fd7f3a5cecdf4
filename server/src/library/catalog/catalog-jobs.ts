import type { CatalogKind } from '../../platform/db/tables/catalog.ts'
import type { JobDefinition } from '../../platform/jobs/job-definition.ts'

export interface RelabelFilesJob {
  readonly accountId: number
  readonly kind: CatalogKind
  readonly entryId: number
}

/**
 * Updates the records of the files that refer to an entry after a rename or deletion. The job is not
 * exclusive: a running one may have read the label before the change that requests the next.
 */
export const relabelFilesJob: JobDefinition<RelabelFilesJob> = {
  name: 'file.relabel',
  retryLimit: 20,
  expireInSeconds: 24 * 3_600,
}
