import { deliverySchema, deliveryWithAttemptsSchema } from './delivery-record.ts'
import { webhookHealthSchema } from './health-record.ts'
import { webhookHoursSchema } from './hours-record.ts'
import { inspectedRequestSchema } from './inspected-request-record.ts'
import { replaySchema } from './replay-record.ts'
import { webhookSchema, webhookWithSecretSchema } from './webhook-record.ts'

/** Schemas of the webhook responses and of the event log, by component name. */
export const webhookSchemas = {
  Webhook: webhookSchema,
  WebhookWithSecret: webhookWithSecretSchema,
  Delivery: deliverySchema,
  DeliveryWithAttempts: deliveryWithAttemptsSchema,
  WebhookHealth: webhookHealthSchema,
  WebhookHours: webhookHoursSchema,
  Replay: replaySchema,
  InspectedRequest: inspectedRequestSchema,
}
