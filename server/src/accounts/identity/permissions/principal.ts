import type { ProjectRole, Role } from '@zoetrope/vocabulary'
import type { Principal } from '../../../platform/http/requests/authenticate.ts'
import type { Networks } from './networks.ts'
import { allows, covers } from './permissions.ts'

export interface CallerFacts {
  readonly accountId: number
  readonly userId: number
  readonly apiKeyId: string | null
  readonly sessionId: string | null
  readonly role: Role
  /** Roles that replace the role in the account, by project id. */
  readonly projectRoles: Readonly<Record<string, ProjectRole>>
  readonly scopes: readonly string[]
  /** Projects that the key or its user is restricted to; null = all of the account. */
  readonly projectIds: readonly number[] | null
  readonly expiresAt: Date | null
  readonly networks: Networks | null
}

export interface Caller extends Principal {
  readonly ownRoleProjectIds: readonly number[]
  /** Expiry of the key; null = never. */
  readonly expiresAt: Date | null
  /** Networks that the key may be used from; null = all. */
  readonly networks: Networks | null
}

/**
 * Effective rights = role of the user ∩ scopes of the key ∩ projects of the key; handlers check the last when
 * they know the project.
 */
export const toCaller = (facts: CallerFacts): Caller => {
  const scopes = new Set(facts.scopes)
  const roleIn = new Map(Object.entries(facts.projectRoles).map(([id, role]) => [Number(id), role]))
  return {
    accountId: facts.accountId,
    userId: facts.userId,
    apiKeyId: facts.apiKeyId,
    sessionId: facts.sessionId,
    projectIds: facts.projectIds,
    ownRoleProjectIds: [...roleIn.keys()],
    expiresAt: facts.expiresAt,
    networks: facts.networks,
    can: (permission, projectId) => {
      if (projectId === 'somewhere')
        return [facts.role, ...roleIn.values()].some((role) => allows(role, scopes, permission))
      const role = projectId === undefined ? undefined : roleIn.get(projectId)
      return allows(role ?? facts.role, scopes, permission)
    },
    canGrant: (wanted) => covers(scopes, wanted),
  }
}
