import type { MediaFile } from '@zoetrope/sdk'
import { useCan, useSession } from '../shell/session.ts'

export interface FileRights {
  readonly mayEdit: boolean
  readonly mayPublish: boolean
  readonly mayDelete: boolean
}

/** Permissions of the user for this file: uploaders may edit their own files. */
export const useFileRights = ({ ProjectId, CreatedBy }: MediaFile): FileRights => {
  const can = useCan(ProjectId)
  const { User } = useSession()
  const isOwn = CreatedBy === User.Id
  return {
    mayEdit: can('files:write') || (isOwn && can('files:write-own')),
    mayPublish: can('files:publish'),
    mayDelete: can('files:delete'),
  }
}
