import type { Permission, ProjectRole as RoleInProject, Role } from '@zoetrope/vocabulary'
import type { Tx } from '../../../platform/db/database.ts'
import { detailOf, invalidField, issue, Problem } from '../../../platform/base/problem.ts'
import { findUnknownProject } from '../store/api-key-store.ts'
import { permissionsOf } from '../permissions/permissions.ts'
import type { Caller } from '../permissions/principal.ts'
import type { ProjectRole, User } from '../store/user-record.ts'

/** Rights of a user: the role in the account and all roles in projects, including deleted ones. */
export interface Standing {
  readonly role: Role
  readonly projectRoles: readonly ProjectRole[]
}

export const standingOf = ({ row, projectRoles, rolesInDeletedProjects }: User): Standing => ({
  role: row.role,
  projectRoles: [...projectRoles, ...rolesInDeletedProjects],
})

/**
 * Returns where the rights of the two may differ: the account, and each project where either has a separate
 * role. In a project where only the caller has one, which may be lower, the user's role in the account
 * counts.
 */
export const rolesToCompare = (
  { ownRoleProjectIds }: Caller,
  { role, projectRoles }: Standing,
): { readonly role: RoleInProject; readonly projectId?: number }[] => {
  const named = new Set(projectRoles.map(({ projectId }) => projectId))
  const unnamed = ownRoleProjectIds.filter((projectId) => !named.has(projectId))
  return [{ role }, ...projectRoles, ...unnamed.map((projectId) => ({ role, projectId }))]
}

export const handsOutTooMuch = (
  { role, projectId }: { readonly role: RoleInProject; readonly projectId?: number },
  missing: Permission,
): Problem =>
  projectId === undefined
    ? new Problem('role_exceeds_caller', { role, permission: missing })
    : new Problem('project_role_exceeds_caller', { role, projectId, permission: missing })

/** Users belong to the whole account: a key limited to a part of it must not reach the rest through them. */
export const checkIsUnrestricted = ({ projectIds }: Pick<Caller, 'projectIds'>): void => {
  if (projectIds !== null) throw new Problem('key_restricted')
}

/**
 * A new user outlives the key that creates it and can sign in from every network, so a short-lived or limited
 * key could gain permanent access from anywhere. An address alone may grant access too, because an identity
 * provider may be connected later.
 */
export const checkCanLetIn = ({ expiresAt, networks }: Pick<Caller, 'expiresAt' | 'networks'>): void => {
  if (expiresAt !== null) throw new Problem('expiring_key_grants_access')
  if (networks !== null) throw new Problem('limited_key_grants_access')
}

/**
 * A key grants only rights that its user's role and its scopes both include. Otherwise a key with
 * `users:write` alone could make the user of another key an administrator.
 */
export const checkMayHandOut = (caller: Caller, standing: Standing): void => {
  for (const place of rolesToCompare(caller, standing)) {
    const missing = permissionsOf(place.role).find((permission) => !caller.can(permission, place.projectId))
    if (missing !== undefined) throw handsOutTooMuch(place, missing)
  }
}

const isSame = (one: readonly ProjectRole[], other: readonly ProjectRole[]): boolean => {
  const roleIn = new Map(one.map(({ projectId, role }) => [projectId, role]))
  return one.length === other.length && other.every(({ projectId, role }) => roleIn.get(projectId) === role)
}

/** A caller may disable a user with more rights; any other change needs all rights of that user. */
export const checkMayChange = (
  caller: Caller,
  before: User,
  after: Standing & { readonly email: string; readonly isEnabled: boolean },
): void => {
  const isHarmless =
    after.email === before.row.email &&
    after.role === before.row.role &&
    isSame(before.projectRoles, after.projectRoles) &&
    (before.row.is_enabled || !after.isEnabled)
  if (isHarmless) return
  checkMayHandOut(caller, standingOf(before))
  checkMayHandOut(caller, {
    role: after.role,
    projectRoles: [...after.projectRoles, ...before.rolesInDeletedProjects],
  })
}

/** Requires distinct live projects of the account, and locks them until the transaction ends. */
export const checkProjectRoles = async (
  tx: Tx,
  accountId: number,
  projectRoles: readonly ProjectRole[],
): Promise<void> => {
  const ids = projectRoles.map(({ projectId }) => projectId)
  const twice = ids.findIndex((id, index) => ids.indexOf(id) !== index)
  if (twice >= 0)
    throw invalidField(`ProjectRoles[${twice}].ProjectId`, 'project_given_twice', {
      projectId: ids[twice] as number,
    })
  const unknown = await findUnknownProject(tx, accountId, ids)
  if (unknown !== undefined)
    throw invalidField(`ProjectRoles[${ids.indexOf(unknown)}].ProjectId`, 'unknown_project', {
      projectId: unknown,
    })
}

export const emailConflict = (): Problem =>
  new Problem('email_in_use', {}, { details: [detailOf('Email', issue('already_in_use'))] })

/** Only the index decides between two concurrent requests for one address. */
export const asEmailConflict = (error: unknown): unknown => {
  const { code, constraint } = error as { code?: string; constraint?: string }
  return code === '23505' && constraint === 'users_by_email' ? emailConflict() : error
}
