import { Problem } from '../../platform/base/problem.ts'
import type { ProjectRow } from './project-record.ts'

/** Throws 'quota_exceeded' when the project has no room for this many more bytes. */
export const checkQuota = (project: ProjectRow, sizeBytes: number): void => {
  if (project.storage_quota_bytes !== null && project.storage_bytes + sizeBytes > project.storage_quota_bytes)
    throw new Problem(
      'quota_exceeded',
      `The upload would exceed the storage quota of project ${project.id}: ${project.storage_bytes} of ${project.storage_quota_bytes} bytes are used.`,
    )
}
