import type { Database } from '../../../platform/db/database.ts'
import type { InstallationMetrics } from '../../../platform/telemetry/installation-metrics.ts'

interface Figures {
  readonly pending: number
  readonly waiting: number
  readonly paused: number
  readonly lagSeconds: number
  readonly undeliveredSeconds: number
}

/** The first pending and the first waiting delivery of each webhook, found by jumps in the partial indexes. */
const readFigures = async ({ sql }: Database): Promise<Figures> => {
  const [figures] = await sql<Figures[]>`
    with recursive pending (webhook_id, id) as (
      (select webhook_id, id from deliveries where state = 'pending' order by webhook_id, id limit 1)
      union all
      select d.webhook_id, d.id from pending p cross join lateral (
        select webhook_id, id from deliveries
        where state = 'pending' and webhook_id > p.webhook_id order by webhook_id, id limit 1
      ) d
    ), waiting (webhook_id, id) as (
      (select webhook_id, id from deliveries where state = 'waiting' order by webhook_id, id limit 1)
      union all
      select d.webhook_id, d.id from waiting w cross join lateral (
        select webhook_id, id from deliveries
        where state = 'waiting' and webhook_id > w.webhook_id order by webhook_id, id limit 1
      ) d
    ), due as (
      select d.next_attempt_at as since from pending p join deliveries d on d.id = p.id
      where exists (select from webhooks w where w.id = p.webhook_id and w.is_enabled and w.deleted_at is null)
        and not exists (
          select from webhook_health h where h.webhook_id = p.webhook_id and h.paused_until > now()
        )
      union all
      (select next_attempt_at from deliveries where state = 'waiting' order by next_attempt_at limit 1)
    )
    select
      (select count(*)::int from deliveries where state = 'pending') as pending,
      (select count(*)::int from deliveries where state = 'waiting') as waiting,
      (select count(*)::int from webhook_health where paused_until > now()) as paused,
      greatest(0, extract(epoch from now() - (select min(since) from due)))::float8 as "lagSeconds",
      greatest(0, extract(epoch from now() - (
        select min(d.created_at) from (table pending union all table waiting) first join deliveries d on d.id = first.id
      )))::float8 as "undeliveredSeconds"`
  return figures as Figures
}

const deliveries = 'zoetrope_webhook_deliveries'
const lag = 'zoetrope_webhook_lag_seconds'
const undelivered = 'zoetrope_webhook_oldest_undelivered_seconds'
const paused = 'zoetrope_webhooks_paused'

export const webhookMetrics = (database: Database): InstallationMetrics => ({
  metrics: [
    {
      name: deliveries,
      help: 'Webhook deliveries of the installation that are pending, or waiting for their next attempt.',
      labelNames: ['state'],
    },
    {
      name: lag,
      help: 'How long the oldest webhook delivery that is due has waited for its attempt; 0 without one. Excludes paused and disabled webhooks.',
    },
    {
      name: undelivered,
      help: 'Age of the oldest webhook delivery that is neither delivered nor given up; 0 without one.',
    },
    { name: paused, help: 'Webhooks that the circuit breaker pauses.' },
  ],
  read: async () => {
    const figures = await readFigures(database)
    return {
      [deliveries]: [
        { labels: { state: 'pending' }, value: figures.pending },
        { labels: { state: 'waiting' }, value: figures.waiting },
      ],
      [lag]: [{ value: figures.lagSeconds }],
      [undelivered]: [{ value: figures.undeliveredSeconds }],
      [paused]: [{ value: figures.paused }],
    }
  },
})
