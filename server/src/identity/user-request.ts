import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { etagOf } from '../http/etag.ts'
import { idSchema } from '../http/schemas.ts'
import type { Database } from '../kernel/db/database.ts'
import { renderUser, type User } from './user-record.ts'
import type { UserScope } from './user-store.ts'
import type { TokenVerifier } from './verify-token.ts'

export interface UserRouteDependencies {
  readonly database: Database
  readonly verifier: TokenVerifier
  readonly publicUrl: string
}

export const userParams = Type.Object({ userId: idSchema })

export const userScopeOf = ({ principal }: FastifyRequest): UserScope => ({
  accountId: principal.accountId,
  projectIds: principal.projectIds,
})

/** Of the whole record: keys come and go without a new version of their user. */
export const etagOfUser = (user: User): string => etagOf(renderUser(user))
