import type { ProjectRole as RoleInProject, Role } from '@zoetrope/vocabulary'
import type { Tx } from '../../../platform/db/database.ts'
import { Problem } from '../../../platform/base/problem.ts'
import { projectRolesOfUser } from '../authentication/live-key.ts'
import type { User } from '../store/user-record.ts'
import { standingOf } from './user-rules.ts'

/**
 * How much of the account the user can administer, 0 to 3. An Administrator with a lower role in a project
 * cannot create one without it, and with `None` cannot change users at all.
 */
const reachOf = (role: Role, rolesInProjects: readonly RoleInProject[]): number => {
  if (role !== 'Administrator') return 0
  if (rolesInProjects.includes('None')) return 1
  return rolesInProjects.every((one) => one === 'Administrator') ? 3 : 2
}

const reachOfUser = (user: User): number => {
  const { role, projectRoles } = standingOf(user)
  const rolesInProjects = projectRoles.map((one) => one.role)
  return user.row.is_enabled ? reachOf(role, rolesInProjects) : 0
}

/**
 * Runs after a change, under the lock of the account: throws, which rolls back, when no enabled user can
 * administer as much of the account as the changed user could before. Other users can be changed in an
 * account that has lost its last Administrator.
 */
export const checkAdministratorRemains = async (tx: Tx, before: User): Promise<void> => {
  const reach = reachOfUser(before)
  if (reach === 0) return
  const administrators = await tx
    .selectFrom('users')
    .select(['role', projectRolesOfUser.as('project_roles')])
    .where('account_id', '=', before.row.account_id)
    .where('role', '=', 'Administrator')
    .where('is_enabled', '=', true)
    .where('deleted_at', 'is', null)
    .execute()
  const remains = administrators.some(
    ({ role, project_roles }) => reachOf(role, Object.values(project_roles ?? {})) >= reach,
  )
  if (!remains) throw new Problem('last_administrator')
}
