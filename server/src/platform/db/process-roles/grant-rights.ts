import type { Connection } from '../driver/connection.ts'
import { changeTable } from '../row-level-security.ts'
import {
  functionGrants,
  queueGrants,
  sequenceGrants,
  tableGrants,
  type Right,
  type Rights,
  type RightsOfRoles,
} from './grants.ts'
import { processRoles, type ProcessRole } from './login.ts'

/** Without processes that use the owner of the tables. */
type Users = Readonly<Partial<Record<ProcessRole, string>>>

interface Table {
  readonly name: string
  readonly quotedName: string
  readonly isOfQueue: boolean
  readonly keyColumn: string | null
  /** Such as `zoetrope_live_12345678 SELECT` or `… UPDATE(id)`. */
  readonly rights: readonly string[]
  readonly isPolicyMissing: boolean
}

const readTables = `
  select c.relname as name, c.oid::regclass::text as "quotedName", n.nspname = 'pgboss' as "isOfQueue",
    (select a.attname from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
      where i.indrelid = c.oid and i.indisprimary)::text as "keyColumn",
    array(
      select concat(r.rolname, ' ', p.privilege_type) from aclexplode(c.relacl) p join pg_roles r on r.oid = p.grantee
      where r.rolname = any($1)
      union all
      select concat(r.rolname, ' ', p.privilege_type, '(', a.attname, ')')
      from pg_attribute a, aclexplode(a.attacl) p join pg_roles r on r.oid = p.grantee
      where a.attrelid = c.oid and not a.attisdropped and r.rolname = any($1)
    ) as rights,
    -- Only a superuser can create a login that bypasses policies.
    c.relrowsecurity and exists (
      select from pg_roles r where r.rolname = any($1) and not r.rolbypassrls and not exists (
        select from pg_policy p where p.polrelid = c.oid and p.polname = 'of_all_accounts' and r.oid = any(p.polroles)
      )
    ) as "isPolicyMissing"
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and (n.nspname = current_schema() or n.nspname = 'pgboss')
  order by c.oid`

const verbs: Readonly<Record<Right, string>> = {
  a: 'INSERT',
  r: 'SELECT',
  w: 'UPDATE',
  d: 'DELETE',
  l: 'UPDATE',
}

/** Privileges such as `SELECT` or `UPDATE(id)`. */
const privilegesOf = (rights: Rights, { name, keyColumn }: Table): string[] => {
  if (typeof rights !== 'string')
    return Object.entries(rights).flatMap(([right, columns]) =>
      columns === 'all columns'
        ? verbs[right as Right]
        : columns.map((column) => `${verbs[right as Right]}(${column})`),
    )
  return Array.from(rights, (right) => {
    if (right !== 'l') return verbs[right as Right]
    if (keyColumn === null) throw new Error(`table ${name} has no primary key`)
    // PostgreSQL lets every role that can update one column lock rows.
    return `UPDATE(${keyColumn})`
  })
}

const grantsOf = ({ name, isOfQueue }: Table): RightsOfRoles => {
  if (isOfQueue) return queueGrants(name)
  const grants = (tableGrants as Readonly<Record<string, RightsOfRoles>>)[name]
  // Tables of others may be in the same schema.
  return grants ?? {}
}

/** Returns the statements that the table still needs: a normal start changes and locks nothing. */
const statementsFor = (table: Table, users: Users): string[] => {
  const { quotedName, rights, isPolicyMissing } = table
  const grants = grantsOf(table)
  const wanted = processRoles.flatMap((role) => {
    const user = users[role]
    if (user === undefined) return []
    return privilegesOf(grants[role] ?? '', table).map((privilege) => ({ user, privilege }))
  })
  const all = Object.values(users)
  const statements: string[] = []
  const texts = new Set(wanted.map(({ user, privilege }) => `${user} ${privilege}`))
  if (texts.symmetricDifference(new Set(rights)).size > 0)
    statements.push(
      `revoke all on ${quotedName} from ${all.join(', ')}`,
      ...wanted.map(({ user, privilege }) => `grant ${privilege} on ${quotedName} to ${user}`),
    )
  if (isPolicyMissing)
    statements.push(
      `drop policy if exists of_all_accounts on ${quotedName}`,
      `create policy of_all_accounts on ${quotedName} to ${all.join(', ')} using (true)`,
    )
  return statements
}

/** The names of sequences or functions, each with a user who needs it. */
const perUser = (
  grants: Readonly<Record<string, readonly ProcessRole[]>>,
  users: Users,
): { readonly name: string; readonly user: string }[] =>
  Object.entries(grants).flatMap(([name, roles]) =>
    roles.flatMap((role) => {
      const user = users[role]
      return user === undefined ? [] : [{ name, user }]
    }),
  )

const readMissingFunctions = `
  select from unnest($1::text[], $2::text[]) as wanted (login, signature)
  where not has_function_privilege(login::name, signature, 'execute')`

const areFunctionsMissing = async (connection: Connection, users: Users): Promise<boolean> => {
  const wanted = perUser(functionGrants, users)
  const missing = await connection.rows(readMissingFunctions, [
    wanted.map(({ user }) => user),
    wanted.map(({ name }) => name),
  ])
  return missing.length > 0
}

const grantRest = (users: Users): string => {
  const all = Object.values(users).join(', ')
  const sequences = perUser(sequenceGrants, users).map(
    ({ name, user }) => `grant select on sequence ${name} to ${user};`,
  )
  const functions = perUser(functionGrants, users).map(
    ({ name, user }) => `grant execute on function ${name} to ${user};`,
  )
  return `
    do $$
    begin
      execute format('grant usage on schema %I to ${all}', current_schema());
    end
    $$;
    grant usage on schema pgboss to ${all};
    ${[...sequences, ...functions].join('\n')}`
}

/**
 * Gives each process the rights on the tables that it uses, and takes all others. Processes work for all
 * accounts; requests of an account still run as a role that sees only its rows (decision 0010).
 */
export const grantRights = async (connection: Connection, users: Users): Promise<void> => {
  const tables = await connection.rows<Table>(readTables, [Object.values(users)])
  const changes = tables
    .map((table) => ({ table, statements: statementsFor(table, users) }))
    .filter(({ statements }) => statements.length > 0)
  if (changes.length === 0 && !(await areFunctionsMissing(connection, users))) return
  await connection.query(grantRest(users))
  for (const { table, statements } of changes)
    await changeTable(connection, statements).catch((error: unknown) => {
      throw new Error(`cannot grant rights on table ${table.name}: ${(error as Error).message}`, {
        cause: error,
      })
    })
}
