import { Type } from 'typebox'
import { etagOf } from '../../../platform/http/responses/etag.ts'
import type { Principal } from '../../../platform/http/requests/authenticate.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { MailQueue } from '../../../platform/mail/mail-queue.ts'
import { apiKeyRecord, type ApiKeyRow } from '../store/api-key-record.ts'
import type { ApiKeyScope } from '../store/api-key-store.ts'
import type { SigningKeys } from '../authentication/signing-keys.ts'
import type { UserScope } from '../store/user-store.ts'
import type { TokenVerifier } from '../authentication/verify-token.ts'

export interface ApiKeyRouteDependencies {
  readonly database: Database
  readonly signingKeys: SigningKeys
  readonly issuer: string
  readonly verifier: TokenVerifier
  readonly publicUrl: string
  readonly mails: MailQueue
}

export const apiKeyParams = Type.Object({
  keyUuid: Type.String({
    pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
    maxLength: 36,
    examples: ['3f2b8a52-6a0e-4c1c-9a57-0d6f2f9f1c11'],
  }),
})

export const apiKeyScopeOf = ({ accountId, projectIds }: Principal): ApiKeyScope => ({
  accountId,
  projectIds,
})

/** Scope for a user whose roles limit a key: includes the projects that the calling key does not see. */
export const wholeAccountOf = ({ accountId }: Principal): UserScope => ({ accountId, projectIds: null })

/**
 * Ignores the last use: reading a key is a use, so a key could otherwise never change itself with If-Match.
 */
export const etagOfApiKey = (row: ApiKeyRow): string =>
  etagOf(JSON.stringify({ ...apiKeyRecord(row), LastUsedAt: null, LastUsedAddress: null }))
