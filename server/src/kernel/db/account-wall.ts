import { accountSetting, tenantRole } from './account-scope.ts'
import { openConnection, type Connection, type ConnectionOptions } from './connection.ts'
import { createSql } from './hand-written-sql.ts'

/** Row-level security as the second wall between accounts (decision 0010). */
const accountInSetting = `nullif(current_setting('${accountSetting}', true), '')::bigint`

/** Tables without an account of their own whose rows belong to one all the same, and how to tell. */
const otherConditions: Readonly<Record<string, string>> = {
  accounts: `id = ${accountInSetting}`,
  // These look into a table that has a policy itself.
  delivery_attempts: 'exists (select from deliveries where deliveries.id = delivery_id)',
  file_blocks: 'exists (select from projects where projects.id = project_id)',
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

/** Only what is missing, so that a start with nothing to do changes no catalog and locks no table. */
const wallOff = `
do $$
declare
  wanted record;
begin
  for wanted in
    select nspname from pg_namespace
    where nspname in (current_schema(), 'pgboss') and not has_schema_privilege('${tenantRole}', oid, 'usage')
  loop
    execute format('grant usage on schema %I to ${tenantRole}', wanted.nspname);
  end loop;

  for wanted in
    select c.oid::regclass as name, c.relkind from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in (current_schema(), 'pgboss') and c.relkind in ('r', 'p', 'v', 'S')
      and not case c.relkind when 'S' then has_sequence_privilege('${tenantRole}', c.oid, 'usage')
        else has_table_privilege('${tenantRole}', c.oid, 'select') end
  loop
    execute format(
      case wanted.relkind when 'S' then 'grant all on sequence %s to ${tenantRole}'
        else 'grant select, insert, update, delete on %s to ${tenantRole}' end,
      wanted.name);
  end loop;

  -- The queue makes its tables after us.
  if not exists (
    select from pg_default_acl where defaclrole = current_user::regrole and defaclacl::text like '%${tenantRole}=%'
  ) then
    alter default privileges grant usage on schemas to ${tenantRole};
    alter default privileges grant select, insert, update, delete on tables to ${tenantRole};
    alter default privileges grant all on sequences to ${tenantRole};
  end if;

  for wanted in
    select c.oid::regclass as name, coalesce(other.condition, 'account_id = ${accountInSetting.replaceAll("'", "''")}') as condition
    from pg_class c
    left join jsonb_each_text($OTHER$${JSON.stringify(otherConditions)}$OTHER$::jsonb) as other (name, condition) on other.name = c.relname
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relrowsecurity
      -- Partitions are reached through their table, by its policy.
      and not c.relispartition
      and (other.name is not null or exists (
        select from pg_attribute where attrelid = c.oid and attname = 'account_id' and not attisdropped))
  loop
    execute format('create policy of_one_account on %s using (%s)', wanted.name, wanted.condition);
    execute format('alter table %s enable row level security', wanted.name);
  end loop;
end
$$`

const canTakeRole = `
  select pg_has_role(current_user, oid, case when current_setting('server_version_num')::int < 160000 then 'member' else 'set' end)
    as "isUp"
  from pg_roles where rolname = '${tenantRole}'`

const isUpOn = async (connection: Connection): Promise<boolean> => {
  const rows = await connection.run((client) => client.unsafe<{ isUp: boolean }[]>(canTakeRole))
  return rows[0]?.isUp === true
}

/** After the migrations, whichever brought new tables. Without the right to make the role it leaves all as it is. */
export const raiseAccountWall = async (connection: Connection): Promise<void> => {
  const sql = createSql(connection.run)
  await connection.run((client) => client.unsafe(createRole))
  if (!(await isUpOn(connection))) return
  await sql`begin`
  try {
    await connection.run((client) => client.unsafe(wallOff))
    await sql`commit`
  } catch (error) {
    await sql`rollback`.catch(connection.discard)
    throw error
  }
}

/** Whether this database user can work behind the wall. */
export const hasAccountWall = async (where: ConnectionOptions): Promise<boolean> => {
  const connection = openConnection(where)
  try {
    return await isUpOn(connection)
  } finally {
    connection.discard()
  }
}
