import type { ConnectionOptions } from '../../platform/db/database.ts'
import { processRoles, type ProcessRole } from '../../platform/db/process-roles/login.ts'
import { prepareLogins, updateRights } from '../../platform/db/process-roles/prepare-logins.ts'
import { StartupError } from '../../platform/base/startup-error.ts'
import type { Secrets } from '../../platform/base/secrets.ts'
import type { Log } from '../../platform/log/log.ts'
import type { Config } from '../config/config.ts'
import { loginAdvice } from './database-login.ts'

/** How each process connects: with a login of its own where that is possible, or else as the owner. */
export const roleConnections = async (
  owner: ConnectionOptions,
  secrets: Secrets,
  setting: Config['databaseRoles'],
  log: Log,
): Promise<Readonly<Record<ProcessRole, ConnectionOptions>>> => {
  if (setting === 'off') {
    await updateRights(owner, secrets.derive)
    return { api: owner, worker: owner, live: owner }
  }
  const prepared = await prepareLogins(owner, secrets.derive)
  const found: Partial<Record<ProcessRole, ConnectionOptions>> = {}
  for (const role of processRoles) {
    const { connection, reason } = prepared[role]
    if (connection === null && setting === 'required')
      throw new StartupError(`The ${role} process cannot use a login of its own (${reason}). ${loginAdvice}`)
    if (connection === null)
      log.warn({ role, reason }, `cannot use a login of its own for a process. ${loginAdvice}`)
    found[role] = connection ?? owner
  }
  return found as Record<ProcessRole, ConnectionOptions>
}

/** Environment variables that give a process this connection, and no other. */
export const environmentOf = (connection: ConnectionOptions): NodeJS.ProcessEnv =>
  'url' in connection
    ? { DATABASE_URL: connection.url }
    : { ZOETROPE_EMBEDDED_CONNECTION: JSON.stringify(connection) }
