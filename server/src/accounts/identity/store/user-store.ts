import type { Role } from '@zoetrope/vocabulary'
import { sql, type Selectable } from 'kysely'
import type { Page } from '../../../platform/http/responses/paging.ts'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { readPage, type PageOf, type SortColumn } from '../../../platform/db/keyset.ts'
import type { UsersTable } from '../../../platform/db/tables/accounts.ts'
import { Problem } from '../../../platform/base/problem.ts'
import { hasSecondFactor } from './factor-store.ts'
import { holdsWords } from './list-filters.ts'
import type { ProjectRole, User } from './user-record.ts'

type UserRow = Selectable<UsersTable>

/** Limits the visible users; a key of some projects sees only the roles in these. Null = all. */
export interface UserScope {
  readonly accountId: number
  readonly projectIds: readonly number[] | null
}

const userNotFound = (userId: number): Problem => new Problem('user_not_found', { userId })

const ofAccount = (queryable: Queryable, { accountId }: UserScope) =>
  queryable.selectFrom('users').where('account_id', '=', accountId).where('deleted_at', 'is', null)

/** Adds data of other tables: three queries for any number of users. */
const complete = async (
  queryable: Queryable,
  { accountId, projectIds }: UserScope,
  rows: readonly UserRow[],
): Promise<User[]> => {
  const userIds = [...rows.map(({ id }) => id), 0]
  const projectRoles = await queryable
    .selectFrom('project_roles')
    .innerJoin('projects', 'projects.id', 'project_roles.project_id')
    .select([
      'project_roles.user_id',
      'project_roles.project_id',
      'project_roles.role',
      'projects.deleted_at',
    ])
    .where('project_roles.account_id', '=', accountId)
    .where('project_roles.user_id', 'in', userIds)
    .where('projects.purged_at', 'is', null)
    .$if(projectIds !== null, (query) => query.where('projects.id', 'in', [...(projectIds ?? []), 0]))
    .orderBy('project_roles.project_id')
    .execute()
  const keys = await queryable
    .selectFrom('api_keys')
    .select((select) => ['user_id', select.fn.countAll<number>().as('count')])
    .where('account_id', '=', accountId)
    .where('user_id', 'in', userIds)
    .where('revoked_at', 'is', null)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', new Date())]))
    .groupBy('user_id')
    .execute()
  const withFactor = await queryable
    .selectFrom('users')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', 'in', userIds)
    .where(hasSecondFactor)
    .execute()
  const factorIds = new Set(withFactor.map(({ id }) => id))
  const keyCounts = new Map(keys.map(({ user_id, count }) => [user_id, count]))
  const rolesOf = (userId: number, isDeleted: boolean): ProjectRole[] =>
    projectRoles
      .filter(({ user_id, deleted_at }) => user_id === userId && (deleted_at !== null) === isDeleted)
      .map(({ project_id, role }) => ({ projectId: project_id, role }))
  return rows.map((row) => ({
    row,
    projectRoles: rolesOf(row.id, false),
    rolesInDeletedProjects: rolesOf(row.id, true),
    apiKeyCount: keyCounts.get(row.id) ?? 0,
    hasSecondFactor: factorIds.has(row.id),
  }))
}

const completeOne = async (queryable: Queryable, scope: UserScope, row: UserRow): Promise<User> => {
  const [user] = await complete(queryable, scope, [row])
  if (user === undefined) throw userNotFound(row.id)
  return user
}

/** Throws 'not_found' for deleted users and those of other accounts alike. */
export const findUser = async (queryable: Queryable, scope: UserScope, userId: number): Promise<User> => {
  const row = await ofAccount(queryable, scope).selectAll().where('id', '=', userId).executeTakeFirst()
  if (row === undefined) throw userNotFound(userId)
  return completeOne(queryable, scope, row)
}

export const userOrders: Record<string, SortColumn> = {
  created: null,
  updated: { expression: sql`updated_at`, type: 'timestamptz' },
  name: { expression: sql`fold_text(name) collate "C"`, type: 'text' },
  email: { expression: sql`lower(email) collate "C"`, type: 'text' },
}

export interface UserFilters {
  readonly roles?: readonly Role[]
  readonly isEnabled?: boolean
  /** Only users with a separate role in one of these projects. */
  readonly projectIds?: readonly number[]
  readonly search?: string
}

export const listUsers = async (
  queryable: Queryable,
  scope: UserScope,
  filters: UserFilters,
  page: Page,
): Promise<{ users: User[]; totalCount: number; last: PageOf<unknown>['last'] }> => {
  const { roles, isEnabled, projectIds, search } = filters
  const visibleIds = (projectIds ?? []).filter((id) => scope.projectIds?.includes(id) !== false)
  const matching = ofAccount(queryable, scope)
    .$if(roles !== undefined, (query) => query.where('role', 'in', [...(roles ?? [])]))
    .$if(isEnabled !== undefined, (query) => query.where('is_enabled', '=', isEnabled === true))
    .$if(projectIds !== undefined, (query) =>
      query.where((where) =>
        where.exists(
          where
            .selectFrom('project_roles')
            .innerJoin('projects', 'projects.id', 'project_roles.project_id')
            .select('project_roles.user_id')
            .where('project_roles.account_id', '=', scope.accountId)
            .whereRef('project_roles.user_id', '=', 'users.id')
            .where('project_roles.project_id', 'in', [...visibleIds, 0])
            .where('projects.deleted_at', 'is', null),
        ),
      ),
    )
    .$if(search !== undefined, (query) =>
      query.where(holdsWords(sql`users.name || ' ' || users.email`, search ?? '')),
    )
  const { rows, last } = await readPage(matching.selectAll(), page, userOrders[page.orderBy] ?? null)
  const { count } = await matching
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return { users: await complete(queryable, scope, rows), totalCount: count, last }
}

export interface UserChange {
  readonly email?: string
  readonly name?: string
  readonly role?: Role
  readonly is_enabled?: boolean
  readonly deleted_at?: Date
  readonly password_hash?: string
}

export const insertUser = async (
  tx: Tx,
  accountId: number,
  change: UserChange & Required<Pick<UserChange, 'email' | 'role'>>,
): Promise<UserRow> =>
  tx
    .insertInto('users')
    .values({ ...change, account_id: accountId })
    .returningAll()
    .executeTakeFirstOrThrow()

export const changeUser = async (tx: Tx, row: UserRow, change: UserChange): Promise<UserRow> =>
  tx
    .updateTable('users')
    .set({ ...change, updated_at: new Date() })
    .where('account_id', '=', row.account_id)
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow()

/**
 * Replaces the roles in projects that the caller saw; those in deleted ones stay, in case such a project is
 * restored. Call `checkProjectRoles` first: it keeps the new projects from being deleted meanwhile.
 */
export const replaceProjectRoles = async (
  tx: Tx,
  { account_id, id: user_id }: UserRow,
  before: readonly ProjectRole[],
  after: readonly ProjectRole[],
): Promise<void> => {
  await tx
    .deleteFrom('project_roles')
    .where('account_id', '=', account_id)
    .where('user_id', '=', user_id)
    .where('project_id', 'in', [...before.map(({ projectId }) => projectId), 0])
    .execute()
  if (after.length === 0) return
  await tx
    .insertInto('project_roles')
    .values(after.map(({ projectId, role }) => ({ account_id, user_id, project_id: projectId, role })))
    // A project restored since may already have a role.
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'user_id', 'project_id'])
        .doUpdateSet((inserted) => ({ role: inserted.ref('excluded.role') })),
    )
    .execute()
}
