import { takeSessionLock } from '../migrate.ts'
import { openConnection, type Connection, type ConnectionOptions } from '../driver/connection.ts'
import { canUseTenantRole } from '../row-level-security.ts'
import { tenantRole } from '../account-scope.ts'
import { grantRights } from './grant-rights.ts'
import { connectionAs, loginOf, processRoles, scramVerifier, type Login, type ProcessRole } from './login.ts'

/** Any constant works while no other code uses this advisory lock. */
const loginLock = 7_304_002

export interface PreparedLogin {
  /** Null = the process must use the owner of the tables. */
  readonly connection: ConnectionOptions | null
  /** Why; null with a login of its own. */
  readonly reason: string | null
}

const exists = async (connection: Connection, user: string): Promise<boolean> =>
  (await connection.rows('select from pg_roles where rolname = $1', [user])).length > 0

const isSuperuser = async (connection: Connection): Promise<boolean> => {
  const [row] = await connection.rows<{ isSuperuser: boolean }>(
    `select rolsuper as "isSuperuser" from pg_roles where rolname = current_user`,
  )
  return row?.isSuperuser === true
}

/** Returns null, or why the process cannot work with this connection. */
const faultOf = async (where: ConnectionOptions, needsTenantRole: boolean): Promise<string | null> => {
  let connection
  try {
    connection = await openConnection(where)
    const isFine = !needsTenantRole || (await canUseTenantRole(connection))
    return isFine ? null : `it cannot use the role ${tenantRole}`
  } catch (error) {
    return (error as Error).message
  } finally {
    connection?.discard()
  }
}

/** Without `noinherit`, the API would have the rights of requests on the rows of all accounts. */
const withPassword = ({ user, password }: Login): string =>
  `role ${user} login noinherit password '${scramVerifier(password)}'`

const createLogin = async (owner: Connection, role: ProcessRole, login: Login): Promise<void> => {
  await owner.query(`${(await exists(owner, login.user)) ? 'alter' : 'create'} ${withPassword(login)}`)
  // Policies would also change the plans of its queries.
  if (await isSuperuser(owner)) await owner.query(`alter role ${login.user} bypassrls`)
  // Some servers revoke this right from PUBLIC.
  await owner.query(
    `do $$ begin execute format('grant connect on database %I to ${login.user}', current_database()); end $$`,
  )
  if (role === 'api') await owner.query(`grant ${tenantRole} to ${login.user}`)
}

interface FoundLogin {
  readonly role: ProcessRole
  readonly login: Login
  readonly connection: ConnectionOptions
  readonly isThere: boolean
  readonly needsTenantRole: boolean
}

const findLogins = async (
  owner: Connection,
  logins: Readonly<Record<ProcessRole, Login>>,
  where: ConnectionOptions,
): Promise<FoundLogin[]> => {
  const isTenantRoleThere = await canUseTenantRole(owner)
  const found: FoundLogin[] = []
  for (const role of processRoles)
    found.push({
      role,
      login: logins[role],
      connection: connectionAs(where, logins[role]),
      isThere: await exists(owner, logins[role].user),
      needsTenantRole: role === 'api' && isTenantRoleThere,
    })
  return found
}

const makeLogin = async (
  owner: Connection,
  { role, login, connection, isThere, needsTenantRole }: FoundLogin,
): Promise<PreparedLogin> => {
  let refusal: string | null = null
  await createLogin(owner, role, login).catch((error: unknown) => {
    refusal = (error as Error).message
  })
  const fault = await faultOf(connection, needsTenantRole)
  if (fault === null) return { connection, reason: null }
  // That the owner may not change an existing login does not say why it does not work.
  return { connection: null, reason: isThere ? fault : (refusal ?? fault) }
}

const databaseOf = async (connection: Connection): Promise<string> => {
  const [row] = await connection.rows<{ name: string }>('select current_database() as name')
  return row?.name ?? ''
}

/** The login of each process of the installation in this database. */
export const loginsOf = async (
  owner: Connection,
  derive: (purpose: string) => Buffer,
): Promise<Readonly<Record<ProcessRole, Login>>> => {
  const database = await databaseOf(owner)
  const entries = processRoles.map((role) => [role, loginOf(role, database, derive)] as const)
  return Object.fromEntries(entries) as Record<ProcessRole, Login>
}

/** What an administrator of the server runs where the owner of the tables must not create roles. */
export const statementsForAdministrator = async (
  owner: Connection,
  logins: Readonly<Record<ProcessRole, Login>>,
): Promise<string[]> => {
  const [row] = await owner.rows<{ user: string; database: string }>(
    'select quote_ident(current_user) as "user", quote_ident(current_database()) as database',
  )
  const statements = (await exists(owner, tenantRole)) ? [] : [`create role ${tenantRole} nologin`]
  statements.push(`grant ${tenantRole} to ${row?.user}`)
  for (const role of processRoles) {
    const login = logins[role]
    statements.push(
      `${(await exists(owner, login.user)) ? 'alter' : 'create'} ${withPassword(login)}`,
      `grant connect on database ${row?.database} to ${login.user}`,
    )
  }
  return [...statements, `grant ${tenantRole} to ${logins.api.user}`]
}

export const canLogIn = async (where: ConnectionOptions): Promise<boolean> =>
  (await faultOf(where, false)) === null

/** Runs `prepare`, then grants the rights of all logins that exist: processes elsewhere may use them. */
const thenGrant = async <T>(
  where: ConnectionOptions,
  derive: (purpose: string) => Buffer,
  prepare: (owner: Connection, logins: Readonly<Record<ProcessRole, Login>>) => Promise<T>,
): Promise<T> => {
  const owner = await openConnection(where)
  try {
    await takeSessionLock(owner, loginLock)
    const logins = await loginsOf(owner, derive)
    const prepared = await prepare(owner, logins)
    const users: Partial<Record<ProcessRole, string>> = {}
    for (const role of processRoles)
      if (await exists(owner, logins[role].user)) users[role] = logins[role].user
    if (Object.keys(users).length > 0) await grantRights(owner, users)
    return prepared
  } finally {
    // Releases the lock, too.
    owner.discard()
  }
}

/** Updates the rights after a migration, and creates or changes no login. */
export const updateRights = (where: ConnectionOptions, derive: (purpose: string) => Buffer): Promise<void> =>
  thenGrant(where, derive, () => Promise.resolve())

/**
 * Creates a login for each process where the owner of the tables may create roles, and grants the rights of
 * those that exist. Logins that an administrator of the server has created are found by their passwords.
 */
export const prepareLogins = (
  where: ConnectionOptions,
  derive: (purpose: string) => Buffer,
): Promise<Readonly<Record<ProcessRole, PreparedLogin>>> =>
  thenGrant(where, derive, async (owner, logins) => {
    const found = await findLogins(owner, logins, where)
    // Most starts find all logins, and only connect.
    const areFine = await Promise.all(
      found.map(
        async ({ connection, isThere, needsTenantRole }) =>
          isThere && (await faultOf(connection, needsTenantRole)) === null,
      ),
    )
    const prepared = {} as Record<ProcessRole, PreparedLogin>
    for (const [index, one] of found.entries())
      prepared[one.role] =
        areFine[index] === true ? { connection: one.connection, reason: null } : await makeLogin(owner, one)
    return prepared
  })
