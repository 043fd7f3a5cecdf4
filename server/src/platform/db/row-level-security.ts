import { setTimeout as delay } from 'node:timers/promises'
import { accountSetting, tenantRole } from './account-scope.ts'
import { openConnection, type Connection, type ConnectionOptions } from './driver/connection.ts'

/**
 * Row-level security is the second barrier between accounts (decision 0010). The subquery makes PostgreSQL
 * evaluate the setting once per statement, not once per row.
 */
const accountInSetting = `(select nullif(current_setting('${accountSetting}', true), '')::bigint)`

/** Conditions for tables without an account_id whose rows still belong to an account. */
const otherConditions: Readonly<Record<string, string>> = {
  accounts: `id = ${accountInSetting}`,
  // These conditions read a table that has a policy itself.
  delivery_attempts: 'exists (select from deliveries where deliveries.id = delivery_id)',
  file_blocks: 'exists (select from projects where projects.id = project_id)',
}

const privilegesOfRequests = 'select, insert, update, delete'
/** Tables of the installation that requests of an account need too. */
const otherPrivileges: Readonly<Record<string, string>> = {
  // A wrong current password counts as a failed attempt of the user who changes it.
  sign_in_attempts: privilegesOfRequests,
}

const createRole = `
do $$
begin
  if not exists (select from pg_roles where rolname = '${tenantRole}') then
    create role ${tenantRole} nologin;
  end if;
  if not (select rolsuper from pg_roles where rolname = current_user) then
    execute format('grant ${tenantRole} to %I', current_user);
  end if;
exception
  -- The role belongs to the whole server: another installation may make it at this moment.
  when duplicate_object or unique_violation or insufficient_privilege then null;
end
$$`

interface Table {
  readonly name: string
  readonly quotedName: string
  readonly hasAccount: boolean
  readonly isRowSecurityEnabled: boolean
  /** Expression that the existing policy was created from; null without a policy. */
  readonly condition: string | null
  readonly privileges: string
}

const readTables = `
  select c.relname as name, c.oid::regclass::text as "quotedName", c.relrowsecurity as "isRowSecurityEnabled",
    obj_description(policy.oid, 'pg_policy') as condition,
    exists (select from pg_attribute where attrelid = c.oid and attname = 'account_id' and not attisdropped) as "hasAccount",
    concat_ws(', ', ${privilegesOfRequests
      .split(', ')
      .map((one) => `case when has_table_privilege('${tenantRole}', c.oid, '${one}') then '${one}' end`)
      .join(', ')}) as privileges
  from pg_class c left join pg_policy policy on policy.polrelid = c.oid and policy.polname = 'of_one_account'
  -- Partitions are reached through their table, by its policy.
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  order by c.oid`

/**
 * Returns the statements that the table still needs; none when it is complete, so that a normal start locks
 * nothing.
 */
const policyStatements = ({
  name,
  quotedName,
  hasAccount,
  isRowSecurityEnabled,
  condition,
  privileges,
}: Table): string[] => {
  const wanted = otherConditions[name] ?? (hasAccount ? `account_id = ${accountInSetting}` : null)
  const mayDo = wanted === null ? (otherPrivileges[name] ?? '') : privilegesOfRequests
  const policy =
    wanted === null || (isRowSecurityEnabled && condition === wanted)
      ? []
      : [
          `drop policy if exists of_one_account on ${quotedName}`,
          `create policy of_one_account on ${quotedName} using (${wanted})`,
          `comment on policy of_one_account on ${quotedName} is '${wanted.replaceAll("'", "''")}'`,
          `alter table ${quotedName} enable row level security`,
        ]
  if (privileges === mayDo) return policy
  const grants = [`revoke all on ${quotedName} from ${tenantRole}`]
  if (mayDo !== '') grants.push(`grant ${mayDo} on ${quotedName} to ${tenantRole}`)
  return [...policy, ...grants]
}

/** A backup or a long query may hold the table: waiting for its lock would block all later queries. */
const lockWait = { waitMs: 2_000, tries: 10 }
const pauseMs = 500
const lockFailures = new Set(['55P03', '40P01'])

/** Changes one table at a time, so that no transaction holding one table waits for another one. */
export const changeTable = async (
  connection: Connection,
  statements: readonly string[],
  { waitMs, tries } = lockWait,
): Promise<void> => {
  try {
    await connection.query(`begin; set local lock_timeout = ${waitMs}; ${statements.join('; ')}; commit`)
  } catch (error) {
    await connection.rollback()
    if (tries <= 1 || !lockFailures.has((error as { code?: string }).code ?? '')) throw error
    await delay(pauseMs)
    await changeTable(connection, statements, { waitMs, tries: tries - 1 })
  }
}

const grantSchema = `
do $$
begin
  if not has_schema_privilege('${tenantRole}', current_schema(), 'usage') then
    execute format('grant usage on schema %I to ${tenantRole}', current_schema());
  end if;
  -- Read when events and audit entries are added: where the ids of this transaction begin.
  if not has_sequence_privilege('${tenantRole}', 'events_id_seq', 'select') then
    grant select on sequence events_id_seq to ${tenantRole};
  end if;
  if not has_sequence_privilege('${tenantRole}', 'audit_entries_id_seq', 'select') then
    grant select on sequence audit_entries_id_seq to ${tenantRole};
  end if;
end
$$`

const canTakeRole = `
  select pg_has_role(current_user, oid, case when current_setting('server_version_num')::int < 160000 then 'member' else 'set' end)
    as "isUp"
  from pg_roles where rolname = '${tenantRole}'`

export const canUseTenantRole = async (connection: Connection): Promise<boolean> => {
  const rows = await connection.rows<{ isUp: boolean }>(canTakeRole)
  return rows[0]?.isUp === true
}

/**
 * Runs after the migrations, which may add tables. Changes nothing without the privilege to create the role.
 * Throws when a table without row-level security stays locked.
 */
export const enableRowLevelSecurity = async (connection: Connection, wait = lockWait): Promise<void> => {
  await connection.query(createRole)
  if (!(await canUseTenantRole(connection))) return
  await connection.query(grantSchema)
  const tables = await connection.rows<Table>(readTables)
  for (const table of tables) {
    const statements = policyStatements(table)
    if (statements.length === 0) continue
    try {
      await changeTable(connection, statements, wait)
    } catch (error) {
      throw new Error(
        `cannot enable row-level security for table ${table.name}: ${(error as Error).message}`,
        {
          cause: error,
        },
      )
    }
  }
}

/**
 * Grants only what it takes to insert a job in the transaction of a request: the queue tables contain the
 * jobs of all accounts.
 */
const grantQueue = `
do $$
begin
  if to_regclass('pgboss.job_common') is null
    or has_any_column_privilege('${tenantRole}', 'pgboss.job_common', 'select') then return; end if;
  -- Others may start at this moment.
  perform pg_advisory_xact_lock(hashtext('${tenantRole}'));
  grant usage on schema pgboss to ${tenantRole};
  grant insert, select (id, start_after) on pgboss.job_common to ${tenantRole};
  grant select on pgboss.queue to ${tenantRole};
end
$$`

/**
 * Call this after the migrations, once the queue has created its tables. Changes nothing without row-level
 * security.
 */
export const openQueueToRequests = async (connection: Connection): Promise<void> => {
  if (await canUseTenantRole(connection)) await connection.query(grantQueue)
}

/** Returns whether this database user can use row-level security. */
export const hasRowLevelSecurity = async (where: ConnectionOptions): Promise<boolean> => {
  const connection = await openConnection(where)
  try {
    return await canUseTenantRole(connection)
  } finally {
    connection.discard()
  }
}
