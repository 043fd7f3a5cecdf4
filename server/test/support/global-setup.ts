import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import postgres from 'postgres'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../../src/kernel/db/database.ts'
import { startEmbeddedPostgres } from '../../src/kernel/db/embedded-postgres.ts'
import { migrate } from '../../src/kernel/db/migrate.ts'
import { startJobs } from '../../src/kernel/jobs/jobs.ts'
import { createLog } from '../../src/kernel/log.ts'
import { jobDefinitions } from '../../src/roles/job-definitions.ts'
import { makeRunFolder } from './run-folder.ts'

const templateDatabase = 'zoetrope_template'

/** Starts one embedded PostgreSQL for the whole run, with a template database that every test file clones. */
const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const folder = await makeRunFolder()
  // Workers inherit this folder, so leftovers of tests are deleted with the run.
  process.env['TMPDIR'] = folder
  process.env['TEST_RUN_FOLDER'] = folder
  const server = await startEmbeddedPostgres({
    dataFolder: join(folder, 'postgres'),
    // The data is discarded, so durability costs time for nothing. Durability tests start their own servers.
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
  })
  const { host, user } = server.connectionOptions
  const administration = postgres({
    ...server.connectionOptions,
    database: 'postgres',
    max: 1,
    onnotice: () => {},
  })
  await administration.unsafe(`create database ${templateDatabase}`)
  await administration.end()
  const connection = { host, user, database: templateDatabase }
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
  project.provide('postgres', { host, user, templateDatabase })
  return async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

export default setup
