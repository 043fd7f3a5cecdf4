import { Problem } from '../kernel/problem.ts'
import type { ProjectRow } from './project-record.ts'

/** Throws 'too_large' where so many bytes more would be too many. */
export const checkQuota = (project: ProjectRow, sizeBytes: number): void => {
  if (project.storage_quota_bytes !== null && project.storage_bytes + sizeBytes > project.storage_quota_bytes)
    throw new Problem(
      'too_large',
      `The upload would exceed the storage quota of project ${project.id}: ${project.storage_bytes} of ${project.storage_quota_bytes} bytes are used.`,
    )
}
