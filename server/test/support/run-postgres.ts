import { join } from 'node:path'
import { openConnection } from '../../src/platform/db/driver/connection.ts'
import { startEmbeddedPostgres } from '../../src/platform/db/embedded-postgres/embedded-postgres.ts'
import { createSecrets, newMasterKey } from '../../src/platform/base/secrets.ts'
import { loginOf, type Login, type ProcessRole } from '../../src/platform/db/process-roles/login.ts'
import { prepareLogins } from '../../src/platform/db/process-roles/prepare-logins.ts'
import { createLog } from '../../src/platform/log/log.ts'
import { prepareDatabase } from '../../src/app/roles/prepare-database.ts'

const templateDatabase = 'zoetrope_template'

export interface SharedPostgres {
  readonly host: string
  readonly user: string
  readonly password: string
  readonly templateDatabase: string
  readonly logins: Readonly<Record<ProcessRole, Login>>
}

export interface RunPostgres {
  readonly connection: SharedPostgres
  readonly stop: () => Promise<void>
}

/** Starts one embedded PostgreSQL for the whole run, with a template database that test databases clone. */
export const startRunPostgres = async (folder: string): Promise<RunPostgres> => {
  const server = await startEmbeddedPostgres({
    dataFolder: join(folder, 'postgres'),
    // The data is discarded, so durability costs time for nothing. Durability tests start their own servers.
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
  })
  const { host, user, password } = server.connectionOptions
  const administration = await openConnection(server.connectionOptions)
  await administration.query(`create database ${templateDatabase}`)
  administration.discard()
  const connection = { ...server.connectionOptions, database: templateDatabase }
  await (await prepareDatabase(connection, createLog({ level: 'silent' }))).close()
  const { derive } = createSecrets(newMasterKey())
  await prepareLogins(connection, derive)
  const logins = {
    api: loginOf('api', templateDatabase, derive),
    worker: loginOf('worker', templateDatabase, derive),
    live: loginOf('live', templateDatabase, derive),
  }
  return { connection: { host, user, password, templateDatabase, logins }, stop: () => server.stop() }
}
