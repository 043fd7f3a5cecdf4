import type { InstallationMetrics } from '../telemetry/installation-metrics.ts'
import type { Database } from './database.ts'

const open = 'zoetrope_database_server_connections'
const most = 'zoetrope_database_server_max_connections'

/** PostgreSQL shows every login the number of connections, but not what they do. */
export const serverMetrics = ({ sql }: Database): InstallationMetrics => ({
  metrics: [
    { name: open, help: 'Connections of all clients to the PostgreSQL server.' },
    { name: most, help: 'Largest number of connections to the PostgreSQL server (max_connections).' },
  ],
  read: async () => {
    const [row] = await sql<{ open: number; most: number }[]>`
      select (select sum(numbackends)::int from pg_stat_database) as open,
        current_setting('max_connections')::int as most`
    return { [open]: [{ value: row?.open ?? 0 }], [most]: [{ value: row?.most ?? 0 }] }
  },
})
