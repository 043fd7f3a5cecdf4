import { join } from 'node:path'
import { openConnection } from '../../src/platform/db/driver/connection.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { startEmbeddedPostgres } from '../../src/platform/db/embedded-postgres/embedded-postgres.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import { startJobs } from '../../src/platform/jobs/jobs.ts'
import { createLog } from '../../src/platform/log/log.ts'
import { jobDefinitions } from '../../src/app/roles/job-definitions.ts'

const templateDatabase = 'zoetrope_template'

export interface SharedPostgres {
  readonly host: string
  readonly user: string
  readonly password: string
  readonly templateDatabase: string
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
  const database = openDatabase(connection, { maxConnections: 2 })
  await migrate(database)
  await database.close()
  const jobs = await startJobs({
    connection,
    definitions: jobDefinitions,
    log: createLog({ level: 'silent' }),
    isWorker: false,
  })
  await jobs.stop({ graceMs: 0 })
  return { connection: { host, user, password, templateDatabase }, stop: () => server.stop() }
}
