import { join } from 'node:path'
import { checkMasterKey } from '../../accounts/identity/authentication/signing-keys.ts'
import type { Config } from '../config/config.ts'
import { ConfigError } from '../config/settings/setting.ts'
import { exists } from '../../platform/backup/copy-files.ts'
import { runningServerOn } from '../../platform/db/embedded-postgres/embedded-postgres-password.ts'
import { openDatabase, type Database } from '../../platform/db/database.ts'
import { processRoles } from '../../platform/db/process-roles/login.ts'
import { keyIdOf } from '../roles/process-keys.ts'
import {
  createSecrets,
  loadOrCreateMasterKeys,
  newMasterKey,
  writeMasterKeys,
  type MasterKeys,
  type Secrets,
} from '../../platform/base/secrets.ts'
import type { CommandOutput } from './command-output.ts'
import { openDatabaseOf } from './database-of-backup.ts'
import { resealValues, type Resealed } from './master-key/reseal-values.ts'

const restartSentence =
  'Restart Zoetrope now: every process that runs with this database. Then run ./zoetrope keys rotate-master again.'

const withDatabase = async <T>(
  config: Config,
  secrets: Secrets,
  work: (database: Database) => Promise<T>,
): Promise<T> => {
  const opened = await openDatabaseOf(config)
  const connection = { ...opened.connection, keyId: keyIdOf('supervisor', secrets) }
  const database = openDatabase(connection, { maxConnections: 2 })
  try {
    return await work(database)
  } finally {
    await database.close()
    await opened.stop()
  }
}

const isRunning = async ({ databaseUrl, dataFolder }: Config): Promise<boolean> =>
  databaseUrl !== null || (await runningServerOn(join(dataFolder, 'postgres'))) !== null

/**
 * Throws when a process runs that does not know the new key: what it encrypts would be lost. Each process has
 * the id of its key in the names of its connections; earlier releases have none.
 */
const checkAllRestarted = async (database: Database, secrets: Secrets): Promise<void> => {
  const ids = processRoles.map((role) => keyIdOf(role, secrets))
  const [found] = await database.sql<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and starts_with(application_name, 'zoetrope')
      and coalesce(substring(application_name from ' key=([0-9a-f]+)'), '') <> all(${ids}::text[])`
  const count = found?.count ?? 0
  if (count > 0)
    throw new ConfigError(
      `Zoetrope still runs with the former master key (${count} connections to the database). ${restartSentence}`,
    )
}

const report = ({ changed, unreadable }: Resealed): string =>
  `${changed} secrets are encrypted with the new master key.\n${
    unreadable === 0 ? '' : `${unreadable} values could not be read with either key and were left alone.\n`
  }`

const reseal = (config: Config, keys: MasterKeys, output: CommandOutput): Promise<Resealed> => {
  const secrets = createSecrets(keys.current, keys.former)
  return withDatabase(config, secrets, async (database) => {
    await checkAllRestarted(database, secrets)
    // With keys of another installation, the new checks would lock out workers and live nodes.
    await checkMasterKey(database, secrets)
    let done = 0
    const resealed = await resealValues(database, secrets, (changed) => {
      done += changed
      if (changed > 0) output.progress(`${done} secrets encrypted with the new key`)
    })
    // A process may have been reconnecting during the first check.
    await checkAllRestarted(database, secrets)
    return resealed
  })
}

/** A new key beside a wrong one would open nothing. */
const checkCurrent = (config: Config, { current }: MasterKeys): Promise<void> => {
  const secrets = createSecrets(current)
  return withDatabase(config, secrets, (database) => checkMasterKey(database, secrets))
}

const asSetting = ({ current, former }: MasterKeys): string =>
  [current, former].flatMap((key) => (key === null ? [] : [key.toString('base64')])).join(',')

/** For a key in the environment, which only the operator can change. */
const rotateSetting = async (config: Config, keys: MasterKeys, output: CommandOutput): Promise<void> => {
  if (keys.former === null) {
    await checkCurrent(config, keys)
    const value = asSetting({ current: newMasterKey(), former: keys.current })
    output.result(
      { State: 'new-key', ZOETROPE_MASTER_KEY: value },
      `Set this value on every node that has the master key; it has the new key and the former one:\n\n  ZOETROPE_MASTER_KEY=${value}\n\nOn a cluster, run ./zoetrope migrate with it before the restart (docs/operations.md). ${restartSentence}\n`,
    )
    return
  }
  const { changed, unreadable } = await reseal(config, keys, output)
  output.result(
    { State: 'done', Changed: changed, Unreadable: unreadable },
    `${report({ changed, unreadable })}Remove the second key from ZOETROPE_MASTER_KEY on every node, and make a backup.\n`,
  )
}

/**
 * Rotates the master key in two steps. The first one adds a new key, and every process that starts later
 * accepts both. The second one seals all values under the new key and removes the former one. Both can be
 * killed and repeated.
 */
export const rotateMasterKey = async (config: Config, output: CommandOutput): Promise<void> => {
  if (config.masterKey !== null) return rotateSetting(config, config.masterKey, output)
  const path = join(config.dataFolder, 'master.key')
  if (!(await exists(path)))
    throw new ConfigError(`${path} does not exist. Run ./zoetrope up once, or set ZOETROPE_DATA.`)
  let keys = await loadOrCreateMasterKeys(path)
  if (keys.former === null) {
    await checkCurrent(config, keys)
    keys = { current: newMasterKey(), former: keys.current }
    await writeMasterKeys(path, keys)
    if (await isRunning(config)) {
      output.result(
        { State: 'new-key' },
        `${path} has a new key; the former one is still accepted. ${restartSentence}\nOn a cluster, copy the file to the other nodes and run ./zoetrope migrate before they restart (docs/operations.md).\n`,
      )
      return
    }
  }
  const { changed, unreadable } = await reseal(config, keys, output)
  await writeMasterKeys(path, { current: keys.current, former: null })
  output.result(
    { State: 'done', Changed: changed, Unreadable: unreadable },
    `${report({ changed, unreadable })}${path} has only the new key. Make a backup now.\n`,
  )
}
