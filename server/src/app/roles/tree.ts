import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { exists } from '../../platform/backup/copy-files.ts'
import { halfRestored, unfinishedRestore } from '../../platform/backup/data-folder.ts'
import type { Config } from '../config/config.ts'
import { ConfigError } from '../config/settings/setting.ts'
import { createFirstAccount, type FirstCredentials } from '../../accounts/identity/accounts/first-start.ts'
import { createSignInLink } from '../../accounts/identity/sign-in-links/sign-in-links.ts'
import type { ConnectionOptions } from '../../platform/db/database.ts'
import { openDatabase } from '../../platform/db/database.ts'
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../platform/db/embedded-postgres/embedded-postgres.ts'
import type { ProcessRole } from '../../platform/db/process-roles/login.ts'
import { newId } from '../../platform/base/ids.ts'
import type { InstalledQueue } from '../../platform/jobs/install-queue.ts'
import type { Log } from '../../platform/log/log.ts'
import { supervise, type Supervised } from '../../platform/base/supervise.ts'
import { checkPortIsFree } from '../first-start/check-port.ts'
import { followPublicUrl, keepFirstCredentials } from '../first-start/first-credentials.ts'
import { prepareDatabase, prepareInstallation } from './prepare-database.ts'
import { isLimited, keyIdOf, keysFor } from './process-keys.ts'
import { environmentOf, roleConnections } from './role-connections.ts'
import { checkConnection, checkMigrations, loadSecrets } from './services.ts'

export interface Tree {
  readonly firstCredentials: FirstCredentials | null
  /** For the user at the terminal. Null without a terminal. */
  readonly signInLink: string | null
  readonly ready: Promise<void>
  /** Rejects when the embedded database exits unexpectedly, because no role can work without it. */
  readonly failed: Promise<never>
  readonly stop: () => Promise<void>
}

const keysInstead = (keys: string): NodeJS.ProcessEnv => ({
  ZOETROPE_MASTER_KEY: undefined,
  ZOETROPE_MASTER_KEY_FILE: undefined,
  ZOETROPE_PROCESS_KEYS: keys,
})

const mainScript = fileURLToPath(new URL('../main.ts', import.meta.url))
const readyPollMs = 50
const readyTimeoutMs = 60_000
/** Most starts finish within this time and need no progress messages. */
const patientMs = 5_000

export const localUrl = (config: Config): string =>
  `http://${['0.0.0.0', '::'].includes(config.host) ? '127.0.0.1' : config.host}:${config.port}`

/** Creates the first account before any role starts. */
const prepareAccount = (
  config: Config,
  connection: ConnectionOptions,
  log: Log,
  isTerminal: boolean,
): Promise<Pick<Tree, 'firstCredentials' | 'signInLink'>> =>
  prepareInstallation(config, connection, log, async ({ database, signingKeys, issuer }) => {
    await followPublicUrl(config.dataFolder, config.publicUrl)
    const firstCredentials = await createFirstAccount(database, signingKeys, issuer, (credentials) =>
      keepFirstCredentials(
        { dataFolder: config.dataFolder, publicUrl: config.publicUrl, isTerminal },
        credentials,
      ),
    )
    const signInLink = isTerminal ? await createSignInLink(database, config.publicUrl) : null
    return { firstCredentials, signInLink }
  })

const loadDeclareDead = () => import('../../live/node/cluster/declare-dead.ts')

/** Never rejects. If the report fails, the next live node detects the end by missing heartbeats. */
const reportLiveEnd = async (
  { publicUrl }: Config,
  connection: ConnectionOptions,
  supervisorId: string,
  log: Log,
): Promise<void> => {
  const database = openDatabase(connection, { maxConnections: 1 })
  try {
    const { declareDead } = await loadDeclareDead()
    await declareDead({ database, publicUrl }, supervisorId)
  } catch (error) {
    log.warn({ err: error }, 'cannot record the end of the live node in the database')
  } finally {
    await database.close()
  }
}

/** Starting would treat the partial data as a complete installation, or create a new one in its place. */
const refuseHalfRestored = async (dataFolder: string): Promise<void> => {
  if (await exists(join(dataFolder, unfinishedRestore))) throw new ConfigError(halfRestored(dataFolder))
}

const waitUntilReady = async (
  url: string,
  isStopping: () => boolean,
  onStep: (step: string) => void,
): Promise<void> => {
  const deadline = Date.now() + readyTimeoutMs
  const impatience = setTimeout(() => onStep('Waiting until API, encoder and live server are up'), patientMs)
  try {
    while (!isStopping()) {
      const response = await fetch(`${url}/readyz`).catch(() => null)
      if (response?.ok === true) return
      if (Date.now() > deadline)
        throw new Error(`the API did not respond at ${url} within ${readyTimeoutMs / 1000} s; see the log`)
      await new Promise((resolve) => setTimeout(resolve, readyPollMs))
    }
  } finally {
    clearTimeout(impatience)
  }
}

/**
 * Runs the whole product on one machine: embedded PostgreSQL unless DATABASE_URL is set, and one supervised
 * process per role. A kill -9 of this process ends them all: the roles detect the closed channel, and a
 * watchdog stops the database.
 */
export const startTree = async (
  config: Config,
  log: Log,
  options: {
    readonly isTerminal: boolean
    readonly environment: NodeJS.ProcessEnv
    readonly onDown: (name: string) => void
    /** Receives progress messages for slow starts: a first start, an update, a slow machine. */
    readonly onStep: (step: string) => void
  },
): Promise<Tree> => {
  const { onStep } = options
  await refuseHalfRestored(config.dataFolder)
  await mkdir(config.dataFolder, { recursive: true, mode: 0o700 })
  await checkPortIsFree(config.host, config.port)
  const adapter = {
    info: (message: string) => log.info(message),
    warn: (message: string) => log.warn(message),
  }
  const databaseFolder = join(config.dataFolder, 'postgres')
  if (config.databaseUrl === null && !(await exists(databaseFolder)))
    onStep('Creating a database in the data folder')
  const postgres: EmbeddedPostgres | null =
    config.databaseUrl === null
      ? await startEmbeddedPostgres({ dataFolder: databaseFolder, log: adapter })
      : null
  const connection: ConnectionOptions =
    postgres === null ? { url: config.databaseUrl ?? '' } : postgres.connectionOptions
  let isStopping = false
  const roles: Supervised[] = []
  let queue: InstalledQueue | null = null
  const stop = async (): Promise<void> => {
    isStopping = true
    await Promise.all([
      queue?.close(),
      ...roles.map((role) => role.stop((config.stopDelaySeconds + config.drainSeconds) * 1000)),
    ])
    await postgres?.stop()
  }
  try {
    await checkConnection(connection)
    if (config.migrations === 'manual') await checkMigrations(connection)
    const secrets = await loadSecrets(config)
    const keyId = keyIdOf('supervisor', secrets)
    queue = await prepareDatabase({ ...connection, keyId }, log, ({ count, isFirst }) =>
      onStep(
        isFirst
          ? 'Setting up the tables of the database'
          : `Bringing the database up to date (${count} ${count === 1 ? 'change' : 'changes'}); with many records this takes minutes`,
      ),
    )
    const prepared = await prepareAccount(config, connection, log, options.isTerminal)
    const supervisorId = newId()
    const env = {
      ...options.environment,
      ZOETROPE_DATA: config.dataFolder,
      ZOETROPE_SUPERVISOR_ID: supervisorId,
      // The first start compiles the sources, and later starts read the cache.
      NODE_COMPILE_CACHE:
        options.environment['NODE_COMPILE_CACHE'] ?? join(config.dataFolder, 'compile-cache'),
      ...(config.logFile === null ? {} : { ZOETROPE_LOG_FILE: config.logFile }),
    }
    // After the first use of the master key, which refuses a wrong one.
    const connections = await roleConnections(connection, secrets, config.databaseRoles, log)
    const startRole = (role: ProcessRole): void => {
      roles.push(
        supervise({
          name: role,
          args: [mainScript, 'serve', '--role', role],
          env: {
            ...env,
            ...environmentOf(connections[role]),
            ...(isLimited(role) ? keysInstead(keysFor(role, secrets)) : {}),
          },
          log: adapter,
          onExit: ({ isWanted }) => {
            if (isWanted) return
            options.onDown(role)
            if (role === 'live') void reportLiveEnd(config, connection, supervisorId, log)
          },
        }),
      )
    }
    startRole('api')
    startRole('live')
    // Preloads the module: loading it after a live node has died would delay the next one.
    loadDeclareDead().catch(() => {})
    const failed = new Promise<never>((_resolve, reject) => {
      void postgres?.exited.then(() => {
        if (!isStopping) reject(new Error('the embedded PostgreSQL has ended; its log is in the data folder'))
      })
    })
    failed.catch(() => {})
    const ready = waitUntilReady(localUrl(config), () => isStopping, onStep).then(() => {
      // The worker starts last: three starts at once on two cores would delay the first answer.
      if (!isStopping) startRole('worker')
    })
    return { ...prepared, ready, failed, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
