import { Gauge } from 'prom-client'
import { StartupError } from '../../platform/base/startup-error.ts'
import type { Connection } from '../../platform/db/driver/connection.ts'
import type { Log } from '../../platform/log/log.ts'
import type { Config } from '../config/config.ts'

/** `own`: only the rights of the process; `owner`: all rights on all tables. */
const levels = ['own', 'owner'] as const
export type DatabaseLevel = (typeof levels)[number]

const gauge = new Gauge({
  name: 'zoetrope_database_login',
  help: 'Which rights this process has in the database: 1 for the level in force.',
  labelNames: ['level'],
})

export const databaseLevel = async (connection: Connection): Promise<DatabaseLevel> => {
  const [row] = await connection.rows<{ isOwner: boolean }>(
    `select pg_has_role(current_user, relowner, 'usage') as "isOwner" from pg_class where oid = to_regclass('accounts')`,
  )
  return row?.isOwner === false ? 'own' : 'owner'
}

export const loginAdvice =
  'Run `./zoetrope database roles` to see how to create logins for the processes (docs/operations.md).'

/** Logs the level. Throws a StartupError when the setting requires a login of its own. */
export const reportDatabaseLevel = (
  level: DatabaseLevel,
  setting: Config['databaseRoles'],
  log: Log,
): void => {
  for (const one of levels) gauge.set({ level: one }, one === level ? 1 : 0)
  if (level === 'own') return log.info({ database: level }, 'this process has its own login to the database')
  if (setting === 'required')
    throw new StartupError(
      `ZOETROPE_DATABASE_ROLES is "required", but this process would use the owner of the tables. ${loginAdvice}`,
    )
  log.warn({ database: level }, `this process has all rights in the database. ${loginAdvice}`)
}
