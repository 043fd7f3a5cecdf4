import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { missingClickHouseUrl } from '../../analytics/clickhouse/missing-url.ts'
import { exists } from '../../platform/backup/copy-files.ts'
import { halfRestored, unfinishedRestore } from '../../platform/backup/data-folder.ts'
import type { Config } from '../config/config.ts'
import { ConfigError } from '../config/settings/setting.ts'
import type { ConnectionOptions } from '../../platform/db/database.ts'
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../platform/db/embedded-postgres/embedded-postgres.ts'
import type { ProcessRole } from '../../platform/db/process-roles/login.ts'
import type { Log } from '../../platform/log/log.ts'
import { supervise, type Supervised } from '../../platform/base/supervise.ts'
import { checkPorts } from '../first-start/check-port.ts'
import type { PreparedStart } from './prepare-start.ts'

export interface Tree extends Pick<PreparedStart, 'firstCredentials' | 'signInLink'> {
  readonly ready: Promise<void>
  /** Rejects when the embedded database exits unexpectedly, because no role can work without it. */
  readonly failed: Promise<never>
  readonly stop: () => Promise<void>
}

const withoutMasterKey = { ZOETROPE_MASTER_KEY: undefined, ZOETROPE_MASTER_KEY_FILE: undefined }
/** A process gets its own connection to the database, not that of the owner. */
const withoutOwner = { DATABASE_URL: undefined, DATABASE_URL_FILE: undefined }

/**
 * For API processes: with more room for young objects (MB), fewer of them survive into the old generation, whose
 * collection makes requests wait. Can only be set when a process starts; `./zoetrope serve --role api` sets it as well.
 */
const youngSpace = ['--max-semi-space-size=32']

const readyPollMs = 20
const readyTimeoutMs = 60_000
/** Most starts finish within this time and need no progress messages. */
const patientMs = 5_000

export const localUrl = (config: Config): string =>
  `http://${['0.0.0.0', '::'].includes(config.host) ? '127.0.0.1' : config.host}:${config.port}`

/** Takes as long to load as the database to start. */
const loadPrepareStart = () => import('./prepare-start.ts')
const loadReportLiveEnd = () => import('./report-live-end.ts')

/** Starting would treat the partial data as a complete installation, or create a new one in its place. */
const refuseHalfRestored = async (dataFolder: string): Promise<void> => {
  if (await exists(join(dataFolder, unfinishedRestore))) throw new ConfigError(halfRestored(dataFolder))
}

/** The api process and the worker would restart forever. `loadConfig` cannot require it, because live nodes need no ClickHouse. */
const refuseMissingClickHouse = ({ analyticsViews, clickHouseUrl }: Config): void => {
  if (analyticsViews === 'clickhouse' && clickHouseUrl === null) throw new ConfigError(missingClickHouseUrl)
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
  refuseMissingClickHouse(config)
  await mkdir(config.dataFolder, { recursive: true, mode: 0o700 })
  await checkPorts(config)
  const adapter = {
    info: (message: string) => log.info(message),
    warn: (message: string) => log.warn(message),
  }
  let isStopping = false
  let postgres: EmbeddedPostgres | null = null
  let start: PreparedStart | null = null
  const roles: Supervised[] = []
  const stop = async (): Promise<void> => {
    isStopping = true
    await Promise.all([
      start?.queue.close(),
      ...roles.map((role) => role.stop((config.stopDelaySeconds + config.drainSeconds) * 1000)),
    ])
    await postgres?.stop()
  }
  const settings = Promise.withResolvers<PreparedStart['settings']>()
  const connectionOf = (): ConnectionOptions =>
    postgres === null ? { url: config.databaseUrl ?? '' } : postgres.connectionOptions
  const startRole = (role: ProcessRole): void => {
    roles.push(
      supervise({
        name: role,
        // The script that this process runs: of the sources, or of the bundle.
        args: [...(role === 'api' ? youngSpace : []), process.argv[1] ?? '', 'serve', '--role', role],
        env: (startId) => ({
          ...options.environment,
          ...(role === 'api' ? {} : withoutMasterKey),
          ...withoutOwner,
          ZOETROPE_DATA: config.dataFolder,
          ZOETROPE_SUPERVISOR_ID: startId,
          // The first start compiles the sources, and later starts read the cache.
          NODE_COMPILE_CACHE:
            options.environment['NODE_COMPILE_CACHE'] ?? join(config.dataFolder, 'compile-cache'),
          ...(config.logFile === null ? {} : { ZOETROPE_LOG_FILE: config.logFile }),
        }),
        message: settings.promise.then((all) => all[role]),
        log: adapter,
        onExit: ({ isWanted, startId }) => {
          if (isWanted) return
          options.onDown(role)
          if (role === 'live')
            void loadReportLiveEnd().then(({ reportLiveEnd }) =>
              reportLiveEnd(config, connectionOf(), startId, log),
            )
        },
      }),
    )
  }
  try {
    // Loads its modules while the database starts, and then waits for its settings.
    startRole('api')
    const databaseFolder = join(config.dataFolder, 'postgres')
    if (config.databaseUrl === null && !(await exists(databaseFolder)))
      onStep('Creating a database in the data folder')
    if (config.databaseUrl === null)
      postgres = await startEmbeddedPostgres({
        dataFolder: databaseFolder,
        log: adapter,
        // Not before: modules load in one go, which would delay the launch.
        onLaunched: () => void loadPrepareStart().catch(() => {}),
      })
    const { prepareStart } = await loadPrepareStart()
    start = await prepareStart(config, connectionOf(), log, options)
    settings.resolve(start.settings)
    // The message to the api process leaves before the start of the next process blocks this one.
    await nextTurn()
    startRole('live')
    // Preloads the module: loading it after a live node has died would delay the next one.
    loadReportLiveEnd().catch(() => {})
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
    const { firstCredentials, signInLink } = start
    return { firstCredentials, signInLink, ready, failed, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
