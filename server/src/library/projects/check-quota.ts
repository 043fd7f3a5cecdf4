import { Problem } from '../../platform/base/problem.ts'
import type { ProjectRow } from './project-record.ts'

/** Throws 'quota_exceeded' when the project has no room for this many more bytes. */
export const checkQuota = (project: ProjectRow, sizeBytes: number): void => {
  if (project.storage_quota_bytes !== null && project.storage_bytes + sizeBytes > project.storage_quota_bytes)
    throw new Problem('storage_quota_exceeded', {
      projectId: project.id,
      usedBytes: project.storage_bytes,
      quotaBytes: project.storage_quota_bytes,
    })
}
