import { Registry } from 'prom-client'
import type { Log } from '../../platform/log/log.ts'
import { createThrottle } from '../../platform/base/throttle.ts'
import { addGauge, type Sample } from '../../platform/telemetry/scraped-metrics.ts'
import { webhookMetrics } from '../../notifications/webhooks/health/webhook-metrics.ts'
import type { Database } from '../../platform/db/database.ts'
import { serverMetrics } from '../../platform/db/server-metrics.ts'
import { onDemandMetrics, storedMetrics } from '../../ingest/encoding/on-demand/on-demand-metrics.ts'
import { remoteMetrics } from '../../ingest/encoding/remote/remote-metrics.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { queueMetrics } from '../../platform/jobs/queue-metrics.ts'
import { createReporterLease } from './reporter-lease.ts'

/** Several scrapers cost the database no more than one. */
const cacheMs = 2_000
/** A scrape is answered without the database, too. */
const patienceMs = 3_000
const logEveryMs = 60_000

type Values = Readonly<Record<string, readonly Sample[]>>

const none: Values = {}

export interface InstallationRegistry {
  readonly registry: Registry
  /** Lets another process take over at once. */
  readonly release: () => Promise<void>
}

/** Serves the metrics of the installation while this process holds the lease; else they have no values. */
export const createInstallationRegistry = ({
  database,
  jobs,
  log,
}: {
  readonly database: Database
  readonly jobs: Pick<Jobs, 'countWorkers'>
  readonly log: Log
}): InstallationRegistry => {
  const groups = [
    queueMetrics(database, () => jobs.countWorkers('everywhere')),
    webhookMetrics(database),
    serverMetrics(database),
    remoteMetrics(database),
    onDemandMetrics(database),
    storedMetrics(database),
  ]
  const lease = createReporterLease(database)
  const registry = new Registry()
  const mayLog = createThrottle(logEveryMs)
  let isReporter = false
  let values = Promise.resolve(none)
  let readAtMs = -Infinity

  const readAll = async (): Promise<Values> => {
    isReporter = await lease.take()
    if (!isReporter) return none
    return Object.assign({}, ...(await Promise.all(groups.map(({ read }) => read()))))
  }

  const read = async (): Promise<Values> => {
    const patience = Promise.withResolvers<never>()
    const timer = setTimeout(() => patience.reject(new Error('the database does not answer')), patienceMs)
    try {
      return await Promise.race([readAll(), patience.promise])
    } catch (error) {
      isReporter = false
      if (mayLog(0)) log.warn({ err: error }, 'cannot read the metrics of the installation')
      return none
    } finally {
      clearTimeout(timer)
    }
  }

  /** All metrics of one scrape share one read. */
  const current = (): Promise<Values> => {
    if (performance.now() - readAtMs > cacheMs) {
      readAtMs = performance.now()
      values = read()
    }
    return values
  }

  for (const { name, ...metric } of groups.flatMap(({ metrics }) => metrics))
    addGauge(registry, { name, ...metric, read: async () => (await current())[name] ?? [] })
  addGauge(registry, {
    name: 'zoetrope_metrics_reporter',
    help: 'Is 1 on the process that serves the metrics of the whole installation.',
    read: async () => {
      await current()
      return [{ value: isReporter ? 1 : 0 }]
    },
  })
  return {
    registry,
    release: () => lease.release().catch(() => {}),
  }
}
