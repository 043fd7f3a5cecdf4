import type { Database } from '../../../platform/db/database.ts'
import type { InstallationMetrics } from '../../../platform/telemetry/installation-metrics.ts'
import { silentAfterSeconds } from './remote-worker-store.ts'

const workers = 'zoetrope_remote_workers'
const chunks = 'zoetrope_remote_chunks_running'
const waiting = 'zoetrope_remote_chunks_waiting'

export const remoteMetrics = ({ sql }: Database): InstallationMetrics => ({
  metrics: [
    {
      name: workers,
      help: `Remote workers with a valid token: connected, silent for more than ${silentAfterSeconds} seconds, or paused after refused results.`,
      labelNames: ['state'],
    },
    { name: chunks, help: 'Encode chunks that remote workers encode at the moment.' },
    {
      name: waiting,
      help: 'Encode chunks that no worker encodes yet. With ZOETROPE_ENCODER_CONCURRENCY=0, they wait for remote workers.',
    },
  ],
  read: async () => {
    const [row] = await sql<
      { paused: number; connected: number; silent: number; running: number; queued: number }[]
    >`
      select count(*) filter (where paused_because is not null)::int as paused,
        count(*) filter (where paused_because is null and last_seen_at > now() - ${silentAfterSeconds} * interval '1 second')::int as connected,
        count(*) filter (where paused_because is null and coalesce(last_seen_at, '-infinity') <= now() - ${silentAfterSeconds} * interval '1 second')::int as silent,
        (select count(*) from encode_chunks where state = 'running' and leased_until >= now())::int as running,
          (select count(*) from encode_chunks where state = 'planned')::int as queued
      from remote_workers where revoked_at is null`
    const { paused = 0, connected = 0, silent = 0, running = 0, queued = 0 } = row ?? {}
    return {
      [workers]: Object.entries({ connected, silent, paused }).map(([state, value]) => ({
        labels: { state },
        value,
      })),
      [chunks]: [{ value: running }],
      [waiting]: [{ value: queued }],
    }
  },
})
