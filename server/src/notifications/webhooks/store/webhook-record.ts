import type { Selectable } from 'kysely'
import { Type } from 'typebox'
import { schemaRef } from '../../../platform/http/openapi/openapi.ts'
import { described, idSchema, nullable, timestampSchema } from '../../../platform/http/requests/schemas.ts'
import { maskedValue, maskHeaders } from './custom-headers.ts'
import type { WebhooksTable } from '../../../platform/db/tables/webhooks.ts'
import { toTimestamp, toTimestampOrNull } from '../../../platform/base/timestamp.ts'

export type WebhookRow = Selectable<WebhooksTable>

const exampleSettings = {
  Label: 'Newsroom',
  TargetURL: 'https://example.com/webhooks',
  EventTypes: ['file.new', 'live.*'],
  ProjectId: null,
  IsEnabled: true,
}

const exampleWebhook = {
  Id: 2,
  ...exampleSettings,
  CustomHeaders: { 'X-Tenant': maskedValue },
  DisabledReason: null,
  DisabledAt: null,
  SecretLastFour: 'LaSw',
  PreviousSecretValidUntil: null,
  CreatedAt: '2026-03-01T12:00:00.000+00:00',
  LastUpdateAt: '2026-03-01T12:00:00.000+00:00',
}

const labelSchema = Type.String({ maxLength: 255, examples: ['Newsroom'] })
const targetUrlSchema = Type.String({
  maxLength: 2_048,
  examples: ['https://example.com/webhooks'],
  description:
    'HTTPS URL of your endpoint, on port 80, 443 or 1024 and above. ProjectId, FileId and event are added to its query. `zoetrope:inspector` stores requests here instead; read them at …/inspectedrequests.',
})
const eventTypesSchema = Type.Array(Type.String({ maxLength: 64 }), {
  minItems: 1,
  maxItems: 100,
  examples: [['file.new', 'live.*']],
  description:
    'Events to send: names, families such as `file.*`, or `*` for all. `view.ended` must be named: neither a family nor `*` includes it.',
})
const projectIdSchema = Type.Union([idSchema, Type.Null()], {
  description: 'Project whose events are sent. Null means every project of the account.',
})
const customHeadersSchema = Type.Record(Type.String(), Type.String({ maxLength: 1_000 }), {
  maxProperties: 20,
  examples: [{ 'X-Tenant': 'newsroom' }],
  description:
    'Headers to send with each request. They cannot replace headers that Zoetrope sets. Responses show `…` instead of the values; `…` in an update keeps a value.',
})

const optionalFields = {
  Label: Type.Optional(
    Type.Union([labelSchema, Type.Null()], { description: 'Name of the webhook, for your team.' }),
  ),
  ProjectId: Type.Optional(projectIdSchema),
  CustomHeaders: Type.Optional(Type.Union([customHeadersSchema, Type.Null()])),
  IsEnabled: Type.Optional(nullable(Type.Boolean(), 'Whether deliveries are sent. Default true.')),
}

const secretSchema = Type.String({
  minLength: 16,
  maxLength: 512,
  description:
    'Signing secret: at least 16 characters, or `whsec_` and the base64 of at least 16 bytes. Default: a random secret.',
})

export const webhookCreateSchema = Type.Object(
  {
    ...optionalFields,
    TargetURL: targetUrlSchema,
    EventTypes: eventTypesSchema,
    Secret: Type.Optional(secretSchema),
  },
  {
    examples: [
      {
        ...exampleSettings,
        CustomHeaders: { 'X-Tenant': 'newsroom' },
        Secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      },
    ],
  },
)

export const webhookUpdateSchema = Type.Object(
  {
    ...optionalFields,
    TargetURL: Type.Optional(targetUrlSchema),
    EventTypes: Type.Optional(eventTypesSchema),
  },
  { examples: [{ EventTypes: ['file.*'], ProjectId: 3 }] },
)

export const rotateSecretSchema = Type.Object(
  { Secret: Type.Optional(secretSchema) },
  { examples: [{ Secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }] },
)

const webhookFields = {
  Id: described(idSchema, 'Identifier of the webhook.'),
  Label: described(labelSchema, 'Name of the webhook, for your team. May be empty.'),
  TargetURL: targetUrlSchema,
  EventTypes: eventTypesSchema,
  ProjectId: projectIdSchema,
  CustomHeaders: customHeadersSchema,
  IsEnabled: Type.Boolean({
    description: 'Whether events are sent. Events that happen while it is false are not sent later.',
  }),
  DisabledReason: Type.Union([Type.String(), Type.Null()], {
    description:
      'Why Zoetrope disabled the webhook: the endpoint returned 410, or failed for five days. Null otherwise.',
  }),
  DisabledAt: Type.Union([timestampSchema, Type.Null()], {
    description: 'Time at which Zoetrope disabled the webhook. Null otherwise.',
  }),
  SecretLastFour: Type.String({ description: 'Last four characters of the secret.' }),
  PreviousSecretValidUntil: Type.Union([timestampSchema, Type.Null()], {
    description: 'Until this time requests are also signed with the previous secret. Null if there is none.',
  }),
  CreatedAt: described(timestampSchema, 'Time at which the webhook was created.'),
  LastUpdateAt: described(timestampSchema, 'Time of the last change of the webhook.'),
}

export const webhookSchema = Type.Object(webhookFields, {
  description: 'An endpoint that receives events.',
  examples: [exampleWebhook],
})

export const listedWebhookSchema = Type.Object(
  { ...webhookFields, Health: Type.Optional(schemaRef('WebhookHealth')) },
  {
    description: 'A webhook in a list. It has its `Health` only with `includeHealth=true`.',
    examples: [exampleWebhook],
  },
)

export const webhookWithSecretSchema = Type.Object(
  {
    ...webhookFields,
    Secret: Type.String({
      description: 'Signing secret. It is shown only once.',
      examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    }),
  },
  {
    description: 'A webhook with its secret.',
    examples: [{ ...exampleWebhook, Secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }],
  },
)

const isPreviousInForce = (row: WebhookRow): boolean =>
  row.previous_secret_until !== null && row.previous_secret_until.getTime() > Date.now()

export const webhookRecord = (row: WebhookRow) => ({
  Id: row.id,
  Label: row.label,
  TargetURL: row.target_url,
  EventTypes: row.event_types,
  ProjectId: row.project_id,
  CustomHeaders: maskHeaders(row.sealed_headers),
  IsEnabled: row.is_enabled,
  DisabledReason: row.disabled_reason,
  DisabledAt: toTimestampOrNull(row.disabled_at),
  SecretLastFour: row.secret_last_four,
  PreviousSecretValidUntil:
    isPreviousInForce(row) && row.previous_secret_until !== null
      ? toTimestamp(row.previous_secret_until)
      : null,
  CreatedAt: toTimestamp(row.created_at),
  LastUpdateAt: toTimestamp(row.updated_at),
})
