import { Type } from 'typebox'
import { messageParamsSchema } from '../../../platform/http/openapi/message-schema.ts'
import { described, idSchema, nullable, timestampSchema } from '../../../platform/http/requests/schemas.ts'
import { toTimestamp, toTimestampOrNull } from '../../../platform/base/timestamp.ts'
import type { EndpointHealth } from './endpoint-health.ts'
import { countedAtMost, type Backlog } from './health-store.ts'
import { hourMs } from './hour-counts.ts'
import type { AttemptCount } from './hour-store.ts'
import { firstShownHour, shownHours } from './hours-record.ts'
import type { ConnectionRow } from '../../../accounts/partners/store/connection-store.ts'
import type { WebhookRow } from '../store/webhook-record.ts'

const byHour = (what: string) =>
  Type.Array(Type.Integer(), {
    minItems: shownHours,
    maxItems: shownHours,
    description: `${what}, for each of the last ${shownHours} hours (UTC). The current hour is last.`,
  })

const healthStatuses = ['ok', 'failing', 'paused', 'held', 'disabled'] as const

const exampleHours = (latest: number): number[] => [...Array<number>(shownHours - 1).fill(0), latest]

export const webhookHealthSchema = Type.Object(
  {
    WebhookId: described(idSchema, 'Identifier of the webhook.'),
    Status: Type.Union(
      healthStatuses.map((status) => Type.Literal(status)),
      {
        description:
          '`ok`: the last request succeeded, or none was sent yet. `failing`: the last request failed. `paused`: after ten failures in a row, nothing is sent until `PausedUntil`. `held`: deliveries are paused because the identity provider returns no token; `HeldReason` says why. `disabled`: you or Zoetrope disabled the webhook.',
      },
    ),
    FailuresInRow: Type.Integer({ description: 'Number of failed requests since the last success.' }),
    FailingSince: nullable(
      timestampSchema,
      'Time of the first failure since the last success. Null while requests succeed.',
    ),
    PausedUntil: Type.Union([timestampSchema, Type.Null()], {
      description:
        'Time of the next trial request. If it fails, the next pause is twice as long, at most half an hour. Null if not paused.',
    }),
    HeldReason: Type.Union([Type.String(), Type.Null()], {
      description: 'Why the identity provider returns no token; deliveries wait for it. Null otherwise.',
    }),
    LastSuccessAt: Type.Union([timestampSchema, Type.Null()], {
      description: 'Time of the last success, to the second. Null if there was none.',
    }),
    LastFailure: nullable(
      Type.Object({
        At: described(timestampSchema, 'Time of the failure.'),
        StatusCode: nullable(Type.Integer(), 'HTTP status of the response. Null if there was none.'),
        Error: nullable(Type.String(), 'Why the request failed. Null if unknown.'),
        Reason: nullable(
          Type.String({ examples: ['connection_refused'] }),
          'Stable name of `Error`, for translations. Null for failures of older releases.',
        ),
        Params: nullable(messageParamsSchema, 'Values in `Error`. Null without `Reason`.'),
      }),
      'The last request that failed. Null if none did.',
    ),
    Last48Hours: Type.Object(
      {
        DeliveredCount: Type.Integer({ description: 'Number of requests answered with 2xx.' }),
        FailedCount: Type.Integer({
          description: 'Number of failed attempts. One delivery may fail several times.',
        }),
        DeliveredByHour: byHour('Requests answered with 2xx'),
        FailedByHour: byHour('Failed attempts'),
      },
      { description: 'Attempts of the last 48 hours, a few seconds behind.' },
    ),
    WaitingCount: Type.Integer({
      maximum: countedAtMost,
      description: `Number of outstanding deliveries, counted up to ${countedAtMost}.`,
    }),
    OldestWaitingAt: Type.Union([timestampSchema, Type.Null()], {
      description: 'Creation time of the oldest waiting delivery. Null if none waits.',
    }),
    DisabledReason: nullable(Type.String(), 'Why Zoetrope disabled the webhook. Null otherwise.'),
    DisabledAt: nullable(timestampSchema, 'Time at which Zoetrope disabled the webhook. Null otherwise.'),
  },
  {
    description: 'Health of the endpoint of a webhook, and the deliveries that wait.',
    examples: [
      {
        WebhookId: 2,
        Status: 'paused',
        FailuresInRow: 11,
        FailingSince: '2026-03-01T11:58:12.004+00:00',
        PausedUntil: '2026-03-01T12:00:42.310+00:00',
        HeldReason: null,
        LastSuccessAt: '2026-03-01T11:57:59.871+00:00',
        LastFailure: {
          At: '2026-03-01T11:59:42.310+00:00',
          StatusCode: 503,
          Error: 'The receiver answered 503 instead of 2xx.',
          Reason: 'receiver_answered',
          Params: { status: 503 },
        },
        Last48Hours: {
          DeliveredCount: 310,
          FailedCount: 11,
          DeliveredByHour: exampleHours(310),
          FailedByHour: exampleHours(11),
        },
        WaitingCount: 37,
        OldestWaitingAt: '2026-03-01T11:58:11.930+00:00',
        DisabledReason: null,
        DisabledAt: null,
      },
    ],
  },
)

export interface KnownOfEndpoint {
  readonly health: EndpointHealth
  readonly backlog: Backlog
  readonly attempts: readonly AttemptCount[]
  readonly connection: ConnectionRow | undefined
}

/** Requires waiting deliveries, because the last token of a failing provider can still be valid. */
const isWaitingForProvider = ({ backlog, connection }: KnownOfEndpoint): boolean =>
  connection !== undefined && connection.state !== 'working' && backlog.count > 0

const statusOf = (
  webhook: WebhookRow,
  known: KnownOfEndpoint,
  now: Date,
): (typeof healthStatuses)[number] => {
  const { pausedUntil, failuresInRow } = known.health
  if (!webhook.is_enabled) return 'disabled'
  if (pausedUntil !== null && now < pausedUntil) return 'paused'
  if (isWaitingForProvider(known)) return 'held'
  return failuresInRow > 0 ? 'failing' : 'ok'
}

/** Hours without requests count zero. */
const attemptsByHour = (attempts: readonly AttemptCount[], now: Date) => {
  const first = firstShownHour(now).getTime()
  const deliveredByHour = Array<number>(shownHours).fill(0)
  const failedByHour = Array<number>(shownHours).fill(0)
  for (const { hour, deliveredCount, failedCount } of attempts) {
    const place = (hour.getTime() - first) / hourMs
    deliveredByHour[place] = deliveredCount
    failedByHour[place] = failedCount
  }
  return { deliveredByHour, failedByHour }
}

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0)

export const webhookHealthRecord = (webhook: WebhookRow, known: KnownOfEndpoint, now: Date) => {
  const { health, backlog, attempts, connection } = known
  const status = statusOf(webhook, known, now)
  const { deliveredByHour, failedByHour } = attemptsByHour(attempts, now)
  return {
    WebhookId: webhook.id,
    Status: status,
    FailuresInRow: health.failuresInRow,
    FailingSince: toTimestampOrNull(health.failingSince),
    PausedUntil: status === 'paused' ? toTimestampOrNull(health.pausedUntil) : null,
    HeldReason: status === 'held' ? (connection?.state_reason ?? null) : null,
    LastSuccessAt: toTimestampOrNull(health.lastSuccessAt),
    LastFailure:
      health.lastFailureAt === null
        ? null
        : {
            At: toTimestamp(health.lastFailureAt),
            StatusCode: health.lastFailureStatus,
            Error: health.lastFailureError,
            Reason: health.lastFailureReason,
            Params: health.lastFailureParams,
          },
    Last48Hours: {
      DeliveredCount: sumOf(deliveredByHour),
      FailedCount: sumOf(failedByHour),
      DeliveredByHour: deliveredByHour,
      FailedByHour: failedByHour,
    },
    WaitingCount: backlog.count,
    OldestWaitingAt: toTimestampOrNull(backlog.oldestAt),
    DisabledReason: webhook.disabled_reason,
    DisabledAt: toTimestampOrNull(webhook.disabled_at),
  }
}
