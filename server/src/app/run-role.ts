import { sandboxLevel } from '@zoetrope/ffmpeg'
import { expectManyBuffers, releaseMemoryOfStart } from '../platform/base/garbage-collection.ts'
import { exitWithParent, messageOfParent } from '../platform/base/supervise.ts'
import { isLostConnection } from '../platform/db/driver/is-lost-connection.ts'
import type { ProcessRole } from '../platform/db/process-roles/login.ts'
import type { Log } from '../platform/log/log.ts'
import { forgetSecrets, loadConfig, type Config } from './config/config.ts'
import { ConfigError } from './config/settings/setting.ts'
import { onSignals } from './on-signals.ts'
import { openLog } from './open-log.ts'
import { checkProcessKeys } from './roles/process-keys.ts'
import type { RunningRole } from './roles/running-role.ts'
import { addApiServices, buildServices, type Services } from './roles/services.ts'
import { startTracing } from './tracing/start-tracing.ts'

/** pg-boss removes its error listeners before it closes a connection, so a lost connection can raise an uncaught error. */
const surviveLostConnections = (log: Log): void => {
  process.on('uncaughtException', (error) => {
    if (isLostConnection(error)) return log.warn({ err: error }, 'lost a database connection')
    log.fatal({ err: error }, 'uncaught error; the process exits and is restarted')
    process.exit(1)
  })
}

type StartRole = (services: Services) => Promise<RunningRole>

/** Each process imports only its own role: loading the others would double its start time. */
const loadRole = async (role: ProcessRole): Promise<StartRole> => {
  if (role === 'api') {
    const { startApi } = await import('./api/start-api.ts')
    return async (services) => startApi(await addApiServices(services))
  }
  const start =
    role === 'worker'
      ? (await import('./roles/worker.ts')).startWorker
      : (await import('./roles/live.ts')).startLive
  return async (services) => {
    await checkProcessKeys(services.database, services.secrets, role)
    return start(services)
  }
}

/** Resolves with the connection and keys that the supervisor sends when the database is ready. Modules load meanwhile. */
const settingsOfSupervisor = async (): Promise<NodeJS.ProcessEnv> => {
  // When the supervisor is killed, the database stops too. Draining is pointless then, and the next start
  // needs the port. It may be gone before this process listens.
  if (!process.connected) process.exit(1)
  exitWithParent(() => {})
  return (await messageOfParent()) as NodeJS.ProcessEnv
}

/** Buffers of uploads and responses are free after milliseconds, so most of what V8 marks is free by then. */
const growingFactor = 4
/**
 * Segments are free only after ten seconds, when they are old objects: with 4, a node held three times the memory of
 * its streams.
 */
const liveGrowingFactor = 1.5

/** Runs one role until a signal stops it. */
export const runRole = async (ownConfig: Config, role: ProcessRole): Promise<void> => {
  const settings = ownConfig.supervisorId === null ? null : settingsOfSupervisor()
  const environment = { ...process.env }
  forgetSecrets()
  expectManyBuffers(role === 'live' ? liveGrowingFactor : growingFactor)
  const startRole = await loadRole(role)
  // Starts a process to find out: also something to do while the database starts.
  if (ownConfig.sandbox !== 'off') sandboxLevel()
  const config = settings === null ? ownConfig : loadConfig({ ...environment, ...(await settings) })
  const connection =
    config.embeddedConnection ?? (config.databaseUrl === null ? null : { url: config.databaseUrl })
  if (connection === null)
    throw new ConfigError('--role requires DATABASE_URL: the embedded PostgreSQL serves only one machine')
  const log = (await openLog(config)).child({ role })
  const stopTracing = await startTracing(config, role)
  const services = await buildServices(config, connection, log, { role })
  const running = await startRole(services)
  releaseMemoryOfStart()
  surviveLostConnections(log)
  onSignals(async () => {
    await running.stop(config.drainSeconds * 1000)
    await services.close()
    await stopTracing()
  })
}
