import { deliverySchema, deliveryWithAttemptsSchema } from './delivery-record.ts'
import { webhookHealthSchema } from '../health/health-record.ts'
import { webhookHoursSchema } from '../health/hours-record.ts'
import { inspectedRequestSchema } from '../inspector/inspected-request-record.ts'
import { replaySchema } from '../replay/replay-record.ts'
import { listedWebhookSchema, webhookSchema, webhookWithSecretSchema } from '../store/webhook-record.ts'

export const webhookSchemas = {
  Webhook: webhookSchema,
  ListedWebhook: listedWebhookSchema,
  WebhookWithSecret: webhookWithSecretSchema,
  Delivery: deliverySchema,
  DeliveryWithAttempts: deliveryWithAttemptsSchema,
  WebhookHealth: webhookHealthSchema,
  WebhookHours: webhookHoursSchema,
  Replay: replaySchema,
  InspectedRequest: inspectedRequestSchema,
}
