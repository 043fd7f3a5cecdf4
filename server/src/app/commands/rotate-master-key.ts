import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError, type Config } from '../config/config.ts'
import { exists } from '../../platform/backup/copy-files.ts'
import { runningServerOn } from '../../platform/db/embedded-postgres/embedded-postgres-password.ts'
import { openDatabase, type Database } from '../../platform/db/database.ts'
import {
  createSecrets,
  loadOrCreateMasterKeys,
  newMasterKey,
  writeMasterKeys,
  type MasterKeys,
} from '../../platform/base/secrets.ts'
import type { CommandOutput } from './command-output.ts'
import { openDatabaseOf } from './database-of-backup.ts'
import { resealValues, type Resealed } from './master-key/reseal-values.ts'

const restartSentence =
  'Restart Zoetrope now: every process that runs with this database. Then run ./zoetrope keys rotate-master again.'

const withDatabase = async <T>(config: Config, work: (database: Database) => Promise<T>): Promise<T> => {
  const opened = await openDatabaseOf(config)
  const database = openDatabase(opened.connection, { maxConnections: 2 })
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
 * Throws when a process may run that does not know the new key: what it seals would be lost. The embedded
 * server starts with all processes. With an external one, a process shows itself by an older connection.
 */
const checkAllRestarted = async (config: Config, database: Database, since: Date): Promise<void> => {
  const [found] = await database.sql<{ isOld: boolean }[]>`
    select case when ${config.databaseUrl === null} then pg_postmaster_start_time() < ${since}
      else exists (
        select from pg_stat_activity where datname = current_database() and backend_type = 'client backend'
          and pid <> pg_backend_pid() and backend_start < ${since}
      ) end as "isOld"`
  if (found?.isOld === true)
    throw new ConfigError(`Zoetrope still runs with the former master key. ${restartSentence}`)
}

const report = ({ changed, unreadable }: Resealed): string =>
  `${changed} secrets are encrypted with the new master key.\n${
    unreadable === 0 ? '' : `${unreadable} values could not be read with either key and were left alone.\n`
  }`

const reseal = async (config: Config, keys: MasterKeys, output: CommandOutput): Promise<Resealed> => {
  // The command may start the embedded server itself.
  const wasRunning = await isRunning(config)
  return withDatabase(config, async (database) => {
    if (config.masterKey === null && wasRunning)
      await checkAllRestarted(config, database, (await stat(join(config.dataFolder, 'master.key'))).mtime)
    let done = 0
    return resealValues(database, createSecrets(keys.current, keys.former), (changed) => {
      done += changed
      if (changed > 0) output.progress(`${done} secrets encrypted with the new key`)
    })
  })
}

const asSetting = ({ current, former }: MasterKeys): string =>
  [current, former].flatMap((key) => (key === null ? [] : [key.toString('base64')])).join(',')

/** For a key in the environment, which only the operator can change. */
const rotateSetting = async (config: Config, keys: MasterKeys, output: CommandOutput): Promise<void> => {
  if (keys.former === null) {
    const value = asSetting({ current: newMasterKey(), former: keys.current })
    output.result(
      { State: 'new-key', ZOETROPE_MASTER_KEY: value },
      `Set this value on every node; it has the new key and the former one:\n\n  ZOETROPE_MASTER_KEY=${value}\n\n${restartSentence}\n`,
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
    keys = { current: newMasterKey(), former: keys.current }
    await writeMasterKeys(path, keys)
    if (await isRunning(config)) {
      output.result(
        { State: 'new-key' },
        `${path} has a new key; the former one is still accepted. ${restartSentence}\nOn a cluster, copy the file to the other nodes before they restart, and run ./zoetrope process-keys again.\n`,
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
