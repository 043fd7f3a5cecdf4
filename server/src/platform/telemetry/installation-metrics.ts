import type { Sample } from './scraped-metrics.ts'

/** Metrics of the whole installation, which one statement reads from the database. Values that are absent are not served. */
export interface InstallationMetrics {
  readonly metrics: readonly {
    readonly name: string
    readonly help: string
    readonly labelNames?: readonly string[]
  }[]
  readonly read: () => Promise<Readonly<Record<string, readonly Sample[]>>>
}
