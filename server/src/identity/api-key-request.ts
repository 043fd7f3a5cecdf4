import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { etagOf } from '../http/etag.ts'
import type { Database } from '../kernel/db/database.ts'
import { apiKeyRecord, type ApiKeyRow } from './api-key-record.ts'
import type { ApiKeyScope } from './api-key-store.ts'
import type { SigningKeys } from './signing-keys.ts'
import type { TokenVerifier } from './verify-token.ts'

export interface ApiKeyRouteDependencies {
  readonly database: Database
  readonly signingKeys: SigningKeys
  readonly issuer: string
  readonly verifier: TokenVerifier
  readonly publicUrl: string
}

export const apiKeyParams = Type.Object({
  keyUuid: Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$', maxLength: 36 }),
})

export const apiKeyScopeOf = ({ principal }: FastifyRequest): ApiKeyScope => ({
  accountId: principal.accountId,
  projectIds: principal.projectIds,
})

/** Of the whole record: the time of its last use changes without a version. */
export const etagOfApiKey = (row: ApiKeyRow): string => etagOf(JSON.stringify(apiKeyRecord(row)))
