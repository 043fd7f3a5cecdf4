import type { Database } from '../db/database.ts'
import type { InstallationMetrics } from '../telemetry/installation-metrics.ts'

interface QueueRow {
  readonly queue: string
  readonly waiting: number
  readonly delayed: number
  readonly running: number
  readonly oldestSeconds: number
}

/**
 * The partial index of the fetch finds the waiting jobs. No index has all running ones, so their number is the
 * one that the workers store every five seconds.
 */
const readQueues = ({ sql }: Database): Promise<QueueRow[]> => sql<QueueRow[]>`
  select q.name as queue, q.active_count as running,
    coalesce(j.waiting, 0)::int as waiting, coalesce(j.delayed, 0)::int as delayed,
    coalesce(j.oldest, 0)::float8 as "oldestSeconds"
  from pgboss.queue q left join (
    select name, count(*) filter (where start_after <= now()) as waiting,
      count(*) filter (where start_after > now()) as delayed,
      extract(epoch from now() - min(greatest(created_on, start_after)) filter (where start_after <= now())) as oldest
    from pgboss.job where state < 'active' and not blocked group by name
  ) j on j.name = q.name
  where not starts_with(q.name, '__pgboss')
  order by 1`

const jobs = 'zoetrope_jobs'
const oldest = 'zoetrope_jobs_oldest_waiting_seconds'
const workers = 'zoetrope_workers'

export const queueMetrics = (
  database: Database,
  countWorkers: () => Promise<number>,
): InstallationMetrics => ({
  metrics: [
    {
      name: jobs,
      help: 'Jobs of the installation: waiting for a worker, delayed until a later time, or running.',
      labelNames: ['queue', 'state'],
    },
    {
      name: oldest,
      help: 'How long the oldest job of a queue that could run has waited; 0 without one.',
      labelNames: ['queue'],
    },
    { name: workers, help: 'Worker processes of the installation that are connected to the database.' },
  ],
  read: async () => {
    const [queues, workerCount] = await Promise.all([readQueues(database), countWorkers()])
    return {
      [jobs]: queues.flatMap(({ queue, waiting, delayed, running }) =>
        Object.entries({ waiting, delayed, running }).map(([state, value]) => ({
          labels: { queue, state },
          value,
        })),
      ),
      [oldest]: queues.map(({ queue, oldestSeconds }) => ({ labels: { queue }, value: oldestSeconds })),
      [workers]: [{ value: workerCount }],
    }
  },
})
