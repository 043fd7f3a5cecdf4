import type { Database } from '../../../platform/db/database.ts'
import type { InstallationMetrics } from '../../../platform/telemetry/installation-metrics.ts'

const chunks = 'zoetrope_ondemand_chunks'

export const onDemandMetrics = ({ sql }: Database): InstallationMetrics => ({
  metrics: [
    {
      name: chunks,
      help: 'Segments that viewers want and that are not encoded yet: awaited by a viewer, ahead of one, or being encoded.',
      labelNames: ['state'],
    },
  ],
  read: async () => {
    const [row] = await sql<{ awaited: number; ahead: number; encoding: number }[]>`
      select count(*) filter (where leased_until >= now())::int as encoding,
        count(*) filter (where coalesce(leased_until < now(), true) and is_awaited)::int as awaited,
        count(*) filter (where coalesce(leased_until < now(), true) and not is_awaited)::int as ahead
      from on_demand_chunks where state <> 'ready' and (wanted_until > now() or leased_until >= now())`
    const { awaited = 0, ahead = 0, encoding = 0 } = row ?? {}
    return {
      [chunks]: Object.entries({ awaited, ahead, encoding }).map(([state, value]) => ({
        labels: { state },
        value,
      })),
    }
  },
})
