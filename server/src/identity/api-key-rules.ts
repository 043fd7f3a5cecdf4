import type { Static } from 'typebox'
import type { Principal } from '../http/authenticate.ts'
import { parseInstant } from '../http/schemas.ts'
import type { Queryable } from '../kernel/db/database.ts'
import { invalidField, Problem } from '../kernel/problem.ts'
import { toTimestamp } from '../kernel/timestamp.ts'
import type { ApiKeyRow, updateApiKeySchema } from './api-key-record.ts'
import { findUnknownProject, type ApiKeyChange } from './api-key-store.ts'
import { covers, isScope } from './permissions.ts'

export const checkScopes = (scopes: readonly string[]): void => {
  const unknown = scopes.find((scope) => !isScope(scope))
  if (unknown !== undefined)
    throw invalidField('Scopes', `names the unknown scope "${unknown}"; use e.g. files:read, files:* or *.`)
}

/** Without this a narrow key could make itself, or get hold of, a mightier one. */
export const checkMayGrant = (principal: Principal, scopes: readonly string[]): void => {
  if (!principal.canGrant(scopes))
    throw new Problem('forbidden', 'A key cannot grant scopes that it does not have itself.')
}

/** Only live projects of the account, and none beyond those of the calling key; what is named alike tells nothing. */
export const checkProjects = async (
  queryable: Queryable,
  principal: Principal,
  wanted: readonly number[] | null,
): Promise<void> => {
  if (wanted === null) return
  const unknown =
    wanted.find((id) => principal.projectIds !== null && !principal.projectIds.includes(id)) ??
    (await findUnknownProject(queryable, principal.accountId, wanted))
  if (unknown !== undefined) throw invalidField('ProjectIds', `names the unknown project ${unknown}.`)
}

const wholeSeconds = (instant: Date): Date => new Date(Math.floor(instant.getTime() / 1_000) * 1_000)

const parseExpiry = (text: string | null): Date | null =>
  text === null ? null : wholeSeconds(parseInstant(text, 'ExpiresAt'))

const checkIsFuture = (expiresAt: Date | null): void => {
  if (expiresAt !== null && expiresAt.getTime() <= Date.now())
    throw invalidField('ExpiresAt', 'must be in the future.')
}

/** When a new key is to expire, in whole seconds; null = never. */
export const parseNewExpiry = (text: string | null): Date | null => {
  const expiresAt = parseExpiry(text)
  checkIsFuture(expiresAt)
  return expiresAt
}

const endOf = (instant: Date | null): number => instant?.getTime() ?? Infinity

const changeOfExpiry = (principal: Principal, key: ApiKeyRow, text: string | null): ApiKeyChange => {
  const expiresAt = parseExpiry(text)
  if (endOf(expiresAt) === endOf(key.expires_at)) return {}
  checkIsFuture(expiresAt)
  if (key.token_expires_at !== null && endOf(expiresAt) > endOf(key.token_expires_at))
    throw invalidField(
      'ExpiresAt',
      `cannot be later than ${toTimestamp(key.token_expires_at)}, which is written into the token itself; rotate the key for one that lasts longer.`,
    )
  if (endOf(expiresAt) > endOf(key.expires_at)) checkMayGrant(principal, key.scopes)
  return { expires_at: expiresAt }
}

const isSame = <T>(one: readonly T[] | null, other: readonly T[] | null): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

/**
 * What a PUT changes of a key. Rights only shrink: a token that is out there must never come to mean more. A record that was read can be sent
 * back whole, also when one of its projects was deleted since.
 */
export const toApiKeyChange = async (
  queryable: Queryable,
  principal: Principal,
  key: ApiKeyRow,
  body: Static<typeof updateApiKeySchema>,
): Promise<ApiKeyChange> => {
  const change: { -readonly [Name in keyof ApiKeyChange]: ApiKeyChange[Name] } = {}
  if (body.Label !== undefined) change.label = body.Label.trim()
  if (body.Scopes !== undefined && !isSame(body.Scopes, key.scopes)) {
    checkScopes(body.Scopes)
    if (!covers(new Set(key.scopes), body.Scopes))
      throw invalidField('Scopes', 'can only be narrowed; create a new key for more.')
    change.scopes = body.Scopes
  }
  if (body.ProjectIds !== undefined && !isSame(body.ProjectIds, key.project_ids)) {
    const before = key.project_ids
    if (before === null) await checkProjects(queryable, principal, body.ProjectIds)
    else if (body.ProjectIds === null || body.ProjectIds.some((id) => !before.includes(id)))
      throw invalidField('ProjectIds', 'can only be narrowed; create a new key for more.')
    change.project_ids = body.ProjectIds
  }
  if (body.ExpiresAt !== undefined) Object.assign(change, changeOfExpiry(principal, key, body.ExpiresAt))
  return change
}
