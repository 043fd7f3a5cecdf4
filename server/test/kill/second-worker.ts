import { spawn } from 'node:child_process'
import { copyFile, mkdir, rm, symlink } from 'node:fs/promises'
import { once } from 'node:events'
import { join } from 'node:path'
import { openDatabase } from '../../src/platform/db/database.ts'
import { compileCache } from '../support/compile-cache.ts'
import { waitFor } from '../support/wait-for.ts'
import type { Installation } from './installation.ts'
import { mainScript } from '../support/main-script.ts'

export interface SecondWorker {
  readonly kill: () => Promise<void>
  readonly remove: () => Promise<void>
}

/** Starts another worker of the installation, like one on a second machine. */
export const startSecondWorker = async (
  installation: Installation,
  name = 'second-worker',
): Promise<SecondWorker> => {
  const connection = await installation.connection()
  const folder = join(installation.dataFolder, name)
  // Leftovers of a killed worker would be found again by the new one.
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder)
  await symlink(join(installation.dataFolder, 'media'), join(folder, 'media'))
  await copyFile(join(installation.dataFolder, 'master.key'), join(folder, 'master.key'))
  const worker = spawn(process.execPath, [mainScript, 'serve', '--role', 'worker'], {
    env: {
      PATH: process.env['PATH'] ?? '',
      NODE_COMPILE_CACHE: compileCache,
      ZOETROPE_DATA: folder,
      ZOETROPE_EMBEDDED_CONNECTION: JSON.stringify(connection),
      ZOETROPE_LOG_FILE: join(folder, 'zoetrope.log'),
      ZOETROPE_PUBLIC_URL: installation.url,
      OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
      OUTBOUND_ALLOW_HTTP: '1',
    },
    stdio: 'ignore',
  })
  const kill = async (): Promise<void> => {
    if (worker.exitCode !== null || worker.signalCode !== null) return
    const died = once(worker, 'exit')
    worker.kill('SIGKILL')
    await died
  }
  return {
    kill,
    remove: async () => {
      await kill()
      await rm(folder, { recursive: true })
    },
  }
}

export const untilTwoWork = async (installation: Installation): Promise<void> => {
  const database = openDatabase(await installation.connection(), { maxConnections: 1 })
  try {
    await waitFor(
      () => database.sql<{ count: number }[]>`
        select count(distinct application_name)::int as count from pg_stat_activity
        where application_name like 'zoetrope-worker-%'`,
      ([row]) => row?.count === 2,
    )
  } finally {
    await database.close()
  }
}
