import type { Plan } from './plan.ts'

export interface Limit {
  readonly what: string
  readonly need: number
  readonly limit: number
  readonly unit: string
  readonly source: string
}

/** Limits of one installation that more nodes do not raise, the nearest first. */
export const limitsOf = (plan: Plan): Limit[] =>
  [
    {
      ...{ what: 'processor of the database', need: plan.databaseCores, limit: 64, unit: 'cores' },
      source: 'one primary takes all writes: the largest common machine',
    },
    {
      ...{ what: 'connections of the database', need: plan.connections, limit: 1_000, unit: 'connections' },
      source: 'each is a process of PostgreSQL; poolers in transaction mode do not work',
    },
    {
      ...{ what: 'WAL of the database', need: plan.peak.walMegabytes, limit: 100, unit: 'MB/s' },
      source: 'what one disk and one standby take',
    },
    {
      ...{ what: 'S3 writes', need: plan.peak.s3Writes, limit: 3_500, unit: 'requests/s' },
      source: 'Amazon S3, for one prefix; it splits busy prefixes gradually',
    },
    {
      ...{ what: 'S3 reads', need: plan.peak.s3Reads, limit: 5_500, unit: 'requests/s' },
      source: 'Amazon S3, for one prefix; it splits busy prefixes gradually',
    },
    {
      ...{ what: 'workers that send webhooks', need: plan.encodes.workers, limit: 256, unit: 'workers' },
      source: 'shards of webhooks; further workers only encode',
    },
  ].toSorted((a, b) => a.limit / a.need - b.limit / b.need)
