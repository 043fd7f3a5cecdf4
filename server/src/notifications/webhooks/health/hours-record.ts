import { Type } from 'typebox'
import { described, idSchema, nullable, timestampSchema } from '../../../platform/http/requests/schemas.ts'
import { toTimestamp } from '../../../platform/base/timestamp.ts'
import { hourMs, hourOf, type HourCount } from './hour-counts.ts'
import { percentileMs } from '../../../platform/base/latency-steps.ts'

export const shownHours = 48

export const webhookHoursSchema = Type.Object(
  {
    WebhookId: described(idSchema, 'Identifier of the webhook.'),
    Hours: Type.Array(
      Type.Object({
        Hour: Type.Unsafe<string>({ ...timestampSchema, description: 'Start of the hour (UTC).' }),
        DeliveredCount: Type.Integer({ description: 'Number of requests answered with 2xx.' }),
        FailedCount: Type.Integer({
          description: 'Number of failed requests. One delivery may fail several times.',
        }),
        LatencyP50Ms: nullable(
          Type.Integer({ description: 'Median response time in milliseconds. Null without responses.' }),
        ),
        LatencyP95Ms: nullable(
          Type.Integer(),
          '95th percentile of the response time in milliseconds. Null without responses.',
        ),
      }),
      { description: `The last ${shownHours} hours. The current hour is last.` },
    ),
  },
  {
    description:
      'Requests of a webhook by hour. Counts are a few seconds behind; latencies are accurate to 10 %.',
    examples: [
      {
        WebhookId: 2,
        Hours: [
          {
            Hour: '2026-03-01T11:00:00.000+00:00',
            DeliveredCount: 1204,
            FailedCount: 3,
            LatencyP50Ms: 46,
            LatencyP95Ms: 182,
          },
          {
            Hour: '2026-03-01T12:00:00.000+00:00',
            DeliveredCount: 0,
            FailedCount: 0,
            LatencyP50Ms: null,
            LatencyP95Ms: null,
          },
        ],
      },
    ],
  },
)

export const firstShownHour = (now: Date): Date => new Date(hourOf(now).getTime() - (shownHours - 1) * hourMs)

/** Includes hours without requests, so that charts have no gaps. */
export const webhookHoursRecord = (webhookId: number, counts: readonly HourCount[], now: Date) => {
  const byHour = new Map(counts.map((count) => [count.hour.getTime(), count]))
  const first = firstShownHour(now).getTime()
  return {
    WebhookId: webhookId,
    Hours: Array.from({ length: shownHours }, (_, index) => {
      const hour = first + index * hourMs
      const count = byHour.get(hour)
      return {
        Hour: toTimestamp(new Date(hour)),
        DeliveredCount: count?.deliveredCount ?? 0,
        FailedCount: count?.failedCount ?? 0,
        LatencyP50Ms: percentileMs(count?.latencyCounts ?? [], 0.5),
        LatencyP95Ms: percentileMs(count?.latencyCounts ?? [], 0.95),
      }
    }),
  }
}
