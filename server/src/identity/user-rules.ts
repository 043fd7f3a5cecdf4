import type { Principal } from '../http/authenticate.ts'
import type { Queryable, Tx } from '../kernel/db/database.ts'
import type { Role } from '../kernel/db/tables.ts'
import { invalidField, Problem } from '../kernel/problem.ts'
import { findUnknownProject } from './api-key-store.ts'
import { permissionsOf } from './permissions.ts'
import type { ProjectRole, User } from './user-record.ts'

/** What a user may do: the role in the account, and those in projects. */
export interface Standing {
  readonly role: Role
  readonly projectRoles: readonly ProjectRole[]
}

export const standingOf = ({ row, projectRoles }: User): Standing => ({ role: row.role, projectRoles })

/** Users belong to the whole account: a key that sees only a part of it must not reach the rest through them. */
export const checkIsUnrestricted = (principal: Principal): void => {
  if (principal.projectIds !== null)
    throw new Problem(
      'forbidden',
      'This key is restricted to certain projects and cannot change users, who belong to the whole account.',
    )
}

/**
 * A key hands out only what it holds itself, role of its user and scopes together: otherwise one with `users:write` alone could make the
 * user of another key an administrator.
 */
export const checkMayHandOut = (principal: Principal, standing: Standing): void => {
  for (const { role, projectId } of [
    { role: standing.role, projectId: undefined },
    ...standing.projectRoles,
  ]) {
    const missing = permissionsOf(role).find((permission) => !principal.can(permission, projectId))
    if (missing !== undefined)
      throw new Problem(
        'forbidden',
        `The role ${role} allows ${missing}, which your key or role does not; nobody can hand out more than that.`,
      )
  }
}

const isSame = (one: readonly ProjectRole[], other: readonly ProjectRole[]): boolean => {
  const roleIn = new Map(one.map(({ projectId, role }) => [projectId, role]))
  return one.length === other.length && other.every(({ projectId, role }) => roleIn.get(projectId) === role)
}

/** To take rights away from somebody mightier by disabling is allowed; every other change asks for all that the user may do. */
export const checkMayChange = (
  principal: Principal,
  before: User,
  after: Standing & { readonly email: string; readonly isEnabled: boolean },
): void => {
  const isHarmless =
    after.email === before.row.email &&
    after.role === before.row.role &&
    isSame(before.projectRoles, after.projectRoles) &&
    (before.row.is_enabled || !after.isEnabled)
  if (isHarmless) return
  checkMayHandOut(principal, standingOf(before))
  checkMayHandOut(principal, after)
}

/** Live projects of the account, each once. */
export const checkProjectRoles = async (
  queryable: Queryable,
  accountId: number,
  projectRoles: readonly ProjectRole[],
): Promise<void> => {
  const ids = projectRoles.map(({ projectId }) => projectId)
  const twice = ids.find((id, index) => ids.indexOf(id) !== index)
  if (twice !== undefined) throw invalidField('ProjectRoles', `names project ${twice} twice.`)
  const unknown = await findUnknownProject(queryable, accountId, ids)
  if (unknown !== undefined) throw invalidField('ProjectRoles', `names the unknown project ${unknown}.`)
}

/** After a change, under the lock of the account: undoes it when nobody could administer the account any more. */
export const checkAdministratorRemains = async (tx: Tx, accountId: number): Promise<void> => {
  const one = await tx
    .selectFrom('users')
    .select('id')
    .where('account_id', '=', accountId)
    .where('role', '=', 'Administrator')
    .where('is_enabled', '=', true)
    .where('deleted_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  if (one === undefined)
    throw new Problem(
      'conflict',
      'This is the last enabled Administrator of the account; make another one first.',
    )
}

/** Two requests that take one address at the same moment are told apart by the index alone. */
export const asEmailConflict = (error: unknown): unknown => {
  const { code, constraint_name } = error as { code?: string; constraint_name?: string }
  return code === '23505' && constraint_name === 'users_by_email'
    ? new Problem('conflict', 'This Email is already in use; take another one.')
    : error
}
