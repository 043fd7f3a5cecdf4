import { openConnection } from '../../platform/db/driver/connection.ts'
import { connectionAs, processRoles } from '../../platform/db/process-roles/login.ts'
import {
  canLogIn,
  loginsOf,
  statementsForAdministrator,
} from '../../platform/db/process-roles/prepare-logins.ts'
import { loadConfig } from '../config/config.ts'
import { ConfigError } from '../config/settings/setting.ts'
import { loadSecrets } from '../roles/services.ts'
import type { CommandOutput } from './command-output.ts'

const usage = 'Usage: ./zoetrope database roles [--sql]'

/**
 * Prints the addresses with which the processes connect, or the statements with which an administrator of the
 * server creates their logins.
 */
export const databaseCommand = async (
  [verb, extra]: readonly string[],
  isSqlWanted: boolean,
  output: CommandOutput,
  env: NodeJS.ProcessEnv,
): Promise<void> => {
  if (verb !== 'roles' || extra !== undefined) throw new ConfigError(usage)
  const config = loadConfig(env)
  const { databaseUrl: url } = config
  if (url === null)
    throw new ConfigError(
      'The embedded database needs no preparation: each start creates the logins of the processes. Set DATABASE_URL for another one.',
    )
  const { derive } = await loadSecrets(config)
  const owner = await openConnection({ url })
  try {
    const logins = await loginsOf(owner, derive)
    if (isSqlWanted) {
      const statements = await statementsForAdministrator(owner, logins)
      return output.result({ Sql: statements }, statements.map((one) => `${one};\n`).join(''))
    }
    const found = []
    for (const role of processRoles) {
      const connection = connectionAs({ url }, logins[role])
      const isReady = await canLogIn(connection)
      found.push({ Role: role, IsReady: isReady, DatabaseUrl: 'url' in connection ? connection.url : '' })
    }
    const lines = found.map(
      ({ Role, IsReady, DatabaseUrl }) =>
        `# ${Role}${IsReady ? '' : ' (cannot log in)'}\nDATABASE_URL=${DatabaseUrl}\n`,
    )
    output.result({ Roles: found }, lines.join(''))
  } finally {
    owner.discard()
  }
}
