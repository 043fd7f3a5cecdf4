import type { DeliverableWebhook, PreparedDelivery } from '../store/due-delivery.ts'

export const aWebhook: DeliverableWebhook = {
  id: 1,
  readAtMs: 0,
  accountId: 1,
  projectId: null,
  connectionId: null,
  connectionVersion: null,
  targetUrl: 'https://example.com/',
  sealedHeaders: {},
  sealedSecret: Buffer.alloc(0),
  previousSealedSecret: null,
  previousSecretUntil: null,
}

export const aDelivery = (
  id: number,
  fileId: number | null,
  change: Partial<PreparedDelivery> = {},
): PreparedDelivery => ({
  id,
  webhookId: 1,
  eventId: id,
  orderingKey: fileId,
  attemptCount: 0,
  scheduleStart: 0,
  event: {
    id,
    name: 'file.updated',
    sequence: id,
    projectId: 1,
    fileId,
    subject: 'File',
    record: '{}',
    occurredAt: new Date(),
    requestId: null,
    traceparent: null,
  },
  ...change,
})
