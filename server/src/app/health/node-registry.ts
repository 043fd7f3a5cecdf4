import type { StatsFs } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { Registry } from 'prom-client'
import { product } from '../../platform/base/version.ts'
import type { Database } from '../../platform/db/database.ts'
import { addGauge } from '../../platform/telemetry/scraped-metrics.ts'

/** Metrics of one process that it reads when it is scraped. */
export const createNodeRegistry = (options: {
  readonly database: Database
  readonly dataFolder: string
  /** Open connections of the HTTP server. */
  readonly countConnections: () => Promise<number>
}): Registry => {
  const { database, dataFolder, countConnections } = options
  const registry = new Registry()
  addGauge(registry, {
    name: 'zoetrope_build_info',
    help: 'Is 1. The labels have the version of Zoetrope, and its commit if that is known.',
    labelNames: ['version', 'commit'],
    read: () => [{ labels: { version: product.version, commit: product.commit ?? '' }, value: 1 }],
  })
  addGauge(registry, {
    name: 'zoetrope_http_connections',
    help: 'Open connections to the server that answers this scrape.',
    read: async () => [{ value: await countConnections() }],
  })
  addGauge(registry, {
    name: 'zoetrope_database_pool_connections',
    help: 'Pooled connections of this process to PostgreSQL, by state.',
    labelNames: ['state'],
    read: () => {
      const { busy, idle } = database.use()
      return [
        { labels: { state: 'busy' }, value: busy },
        { labels: { state: 'idle' }, value: idle },
      ]
    },
  })
  addGauge(registry, {
    name: 'zoetrope_database_pool_max_connections',
    help: 'Largest number of pooled connections of this process.',
    read: () => database.use().max,
  })
  addGauge(registry, {
    name: 'zoetrope_database_pool_waiting',
    help: 'Requests and jobs of this process that wait for a pooled connection.',
    read: () => database.use().waiting,
  })
  addGauge(registry, {
    name: 'zoetrope_database_pipelined_statements',
    help: 'Statements in flight on the pipelined connections of this process.',
    read: () => database.use().pipelined,
  })
  const disk = (name: string, help: string, blocksOf: (stats: StatsFs) => number): void =>
    addGauge(registry, {
      name,
      help,
      read: async () => {
        const stats = await statfs(dataFolder).catch(() => null)
        return stats === null ? [] : [{ value: blocksOf(stats) * stats.bsize }]
      },
    })
  disk(
    'zoetrope_data_folder_free_bytes',
    'Bytes of the file system of the data folder that Zoetrope can still write.',
    ({ bavail }) => bavail,
  )
  disk(
    'zoetrope_data_folder_size_bytes',
    'Size of the file system of the data folder.',
    ({ blocks }) => blocks,
  )
  return registry
}
