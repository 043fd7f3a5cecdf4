import { Type } from 'typebox'
import { etagOf } from '../../../platform/http/responses/etag.ts'
import { idSchema } from '../../../platform/http/requests/schemas.ts'
import type { Principal } from '../../../platform/http/requests/authenticate.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { MailQueue } from '../../../platform/mail/mail-queue.ts'
import { renderUserVersion, type User } from '../store/user-record.ts'
import type { UserScope } from '../store/user-store.ts'

export interface UserRouteDependencies {
  readonly database: Database
  readonly evictUser: (userId: number) => void
  readonly publicUrl: string
  readonly mails: MailQueue
}

export const userParams = Type.Object({ userId: idSchema })

export const userScopeOf = ({ accountId, projectIds }: Principal): UserScope => ({ accountId, projectIds })

export const etagOfUser = (user: User): string => etagOf(renderUserVersion(user))
