import type { Static } from 'typebox'
import { parseInstant } from '../../../platform/http/requests/schemas.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { invalidField, Problem } from '../../../platform/base/problem.ts'
import { toTimestamp } from '../../../platform/base/timestamp.ts'
import type { ApiKeyRow, updateApiKeySchema } from '../store/api-key-record.ts'
import { latestEnd, readKeyPolicy, type KeyPolicy } from './key-policy.ts'
import { findUnknownProject, type ApiKeyChange } from '../store/api-key-store.ts'
import { areNetworksWithin, parseNetworks } from '../permissions/networks.ts'
import { allows, covers, isScope, permissionsOf } from '../permissions/permissions.ts'
import type { Caller } from '../permissions/principal.ts'
import type { User } from '../store/user-record.ts'
import { handsOutTooMuch, rolesToCompare, standingOf } from '../users/user-rules.ts'

export const checkScopes = (scopes: readonly string[]): void => {
  const index = scopes.findIndex((scope) => !isScope(scope))
  if (index >= 0) throw invalidField(`Scopes[${index}]`, 'unknown_scope', { scope: String(scopes[index]) })
}

/**
 * Prevents a narrow key from issuing or obtaining a more powerful one, or one of a user with more rights in a
 * project.
 */
export const checkMayGrant = (
  caller: Caller,
  owner: User,
  {
    scopes,
    projectIds,
  }: { readonly scopes: readonly string[]; readonly projectIds: readonly number[] | null },
): void => {
  if (!caller.canGrant(scopes)) throw new Problem('scopes_exceed_caller')
  const granted = new Set(scopes)
  for (const place of rolesToCompare(caller, standingOf(owner))) {
    const { role, projectId } = place
    if (projectId !== undefined && projectIds?.includes(projectId) === false) continue
    const missing = permissionsOf(role).find(
      (permission) => allows(role, granted, permission) && !caller.can(permission, projectId),
    )
    if (missing !== undefined) throw handsOutTooMuch(place, missing)
  }
}

/**
 * Accepts only live projects of the account that the calling key may see. The same error for all others
 * reveals nothing.
 */
export const checkProjects = async (
  tx: Tx,
  caller: Caller,
  wanted: readonly number[] | null,
): Promise<void> => {
  if (wanted === null) return
  const unknown =
    wanted.find((id) => caller.projectIds !== null && !caller.projectIds.includes(id)) ??
    (await findUnknownProject(tx, caller.accountId, wanted))
  if (unknown !== undefined)
    throw invalidField(`ProjectIds[${wanted.indexOf(unknown)}]`, 'unknown_project', { projectId: unknown })
}

const wholeSeconds = (instant: Date): Date => new Date(Math.floor(instant.getTime() / 1_000) * 1_000)

const parseExpiry = (text: string | null): Date | null =>
  text === null ? null : wholeSeconds(parseInstant(text, 'ExpiresAt'))

const checkIsFuture = (expiresAt: Date | null): void => {
  if (expiresAt !== null && expiresAt.getTime() <= Date.now())
    throw invalidField('ExpiresAt', 'not_in_future')
}

const endOf = (instant: Date | null): number => instant?.getTime() ?? Infinity

/** Prevents a short-lived key from extending its own life, or that of another key. */
const checkEndsWith = (caller: Caller, expiresAt: Date | null): void => {
  if (caller.expiresAt !== null && endOf(expiresAt) > endOf(caller.expiresAt))
    throw new Problem('key_outlives_caller', { expiresAt: toTimestamp(caller.expiresAt) })
}

/**
 * Limits keys by the policy of the account. Existing keys keep their expiry, but nothing extends it beyond
 * the policy.
 */
const checkPolicy = (policy: KeyPolicy, createdAt: Date, expiresAt: Date | null): void => {
  if (endOf(expiresAt) > endOf(latestEnd(policy, createdAt)))
    throw invalidField('ExpiresAt', 'exceeds_key_policy', { days: policy.maxDays ?? 0 })
}

const earliest = (...instants: readonly (Date | null)[]): Date | null =>
  instants.reduce((one, other) => (endOf(other) < endOf(one) ? other : one), null)

/**
 * Returns the expiry of a new key in whole seconds; null = never. A default is limited to the expiry of the
 * calling key and to the policy of the account.
 */
export const endOfNewKey = (
  caller: Caller,
  policy: KeyPolicy,
  wanted: string | null | undefined,
  byDefault: Date | null,
): Date | null => {
  const now = new Date()
  if (wanted === undefined) return earliest(byDefault, caller.expiresAt, latestEnd(policy, now))
  const expiresAt = parseExpiry(wanted)
  checkIsFuture(expiresAt)
  checkPolicy(policy, now, expiresAt)
  checkEndsWith(caller, expiresAt)
  return expiresAt
}

/** Prevents a key that works in one network from opening a key to others. */
export const checkOpensNoNetwork = ({ networks }: Caller, wanted: readonly string[] | null): void => {
  if (networks !== null && !areNetworksWithin(wanted, networks.cidrs))
    throw new Problem('networks_exceed_caller')
}

/** Returns the networks of a new key, by default those of the calling key; null = all. */
export const networksOfKey = (
  caller: Caller,
  wanted: readonly string[] | null | undefined,
): string[] | null => {
  if (wanted === undefined) return caller.networks === null ? null : [...caller.networks.cidrs]
  const networks = parseNetworks(wanted)
  checkOpensNoNetwork(caller, networks)
  return networks
}

const changeOfNetworks = (
  caller: Caller,
  owner: User,
  key: ApiKeyRow,
  wanted: readonly string[] | null,
): ApiKeyChange => {
  const networks = parseNetworks(wanted)
  if (isSame(networks, key.allowed_networks)) return {}
  if (key.allowed_networks !== null && !areNetworksWithin(networks, key.allowed_networks)) {
    checkMayGrant(caller, owner, { scopes: key.scopes, projectIds: key.project_ids })
    checkOpensNoNetwork(caller, networks)
  }
  return { allowed_networks: networks }
}

const changeOfExpiry = (
  caller: Caller,
  owner: User,
  key: ApiKeyRow,
  policy: KeyPolicy,
  text: string | null,
): ApiKeyChange => {
  const expiresAt = parseExpiry(text)
  if (endOf(expiresAt) === endOf(key.expires_at)) return {}
  checkIsFuture(expiresAt)
  if (key.token_expires_at !== null && endOf(expiresAt) > endOf(key.token_expires_at))
    throw invalidField('ExpiresAt', 'later_than_token', { expiresAt: toTimestamp(key.token_expires_at) })
  if (endOf(expiresAt) > endOf(key.expires_at)) {
    checkMayGrant(caller, owner, { scopes: key.scopes, projectIds: key.project_ids })
    checkEndsWith(caller, expiresAt)
    checkPolicy(policy, key.created_at, expiresAt)
  }
  return { expires_at: expiresAt }
}

const isSame = <T>(one: readonly T[] | null, other: readonly T[] | null): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

/**
 * Returns the change of a key by a PUT. Rights only shrink, because a token in use must never gain rights. A
 * caller can send back a whole record, even if one of its projects was deleted since.
 */
export const toApiKeyChange = async (
  tx: Tx,
  caller: Caller,
  owner: User,
  key: ApiKeyRow,
  body: Static<typeof updateApiKeySchema>,
): Promise<ApiKeyChange> => {
  const change: { -readonly [Name in keyof ApiKeyChange]: ApiKeyChange[Name] } = {}
  if (body.Label !== undefined) change.label = body.Label.trim()
  if (body.Scopes !== undefined && !isSame(body.Scopes, key.scopes)) {
    checkScopes(body.Scopes)
    if (!covers(new Set(key.scopes), body.Scopes)) throw invalidField('Scopes', 'cannot_be_extended')
    change.scopes = body.Scopes
  }
  if (body.ProjectIds !== undefined && !isSame(body.ProjectIds, key.project_ids)) {
    const before = key.project_ids
    if (before === null) await checkProjects(tx, caller, body.ProjectIds)
    else if (body.ProjectIds === null || body.ProjectIds.some((id) => !before.includes(id)))
      throw invalidField('ProjectIds', 'cannot_be_extended')
    change.project_ids = body.ProjectIds
  }
  if (body.ExpiresAt !== undefined) {
    const policy = await readKeyPolicy(tx, caller.accountId)
    Object.assign(change, changeOfExpiry(caller, owner, key, policy, body.ExpiresAt))
  }
  if (body.AllowedNetworks !== undefined)
    Object.assign(change, changeOfNetworks(caller, owner, key, body.AllowedNetworks))
  return change
}
