import type { Principal } from '../../../platform/http/requests/authenticate.ts'
import { Problem } from '../../../platform/base/problem.ts'
import type { MediaFileRow } from './file-record.ts'

/**
 * Checks that the principal may edit the file: with `files:write` any file, with `files:write-own` only files
 * that it created. Throws 'forbidden'.
 */
export const checkMayEdit = (
  principal: Principal,
  file: Pick<MediaFileRow, 'id' | 'project_id' | 'created_by'>,
): void => {
  if (principal.can('files:write', file.project_id)) return
  const isOwn = file.created_by === principal.userId
  if (isOwn && principal.can('files:write-own', file.project_id)) return
  throw isOwn
    ? new Problem('permission_missing', { permission: 'files:write-own' })
    : new Problem('file_of_other_user', { fileId: file.id })
}
