import type { HttpClient, RequestOptions } from '../http-client.ts'
import { list } from '../list.ts'
import type { Body, Query } from '../operation-types.ts'
import { unwrapWebhook } from '../unwrap-webhook.ts'

export const createWebhooks = (http: HttpClient) => ({
  unwrap: unwrapWebhook,
  list: (query?: Query<'listWebhooks'>, options?: RequestOptions) =>
    list(http, 'listWebhooks', 'Webhooks', { query, options }),
  /** Creates a webhook. Only this response contains the secret. */
  create: (body: Body<'createWebhook'>, options?: RequestOptions) =>
    http.call('createWebhook', { body, options }),
  get: (webhookId: number, options?: RequestOptions) =>
    http.call('getWebhook', { path: { webhookId }, options }),
  update: (
    webhookId: number,
    body: Body<'updateWebhook'>,
    options?: RequestOptions,
    query: Query<'updateWebhook'> = {},
  ) => http.call('updateWebhook', { path: { webhookId }, body, query, options }),
  delete: (webhookId: number, options?: RequestOptions) =>
    http.call('deleteWebhook', { path: { webhookId }, options }),
  /** Creates a new secret. The previous one also signs for another day by default. */
  rotateSecret: (webhookId: number, body: Body<'rotateWebhookSecret'> = {}, options?: RequestOptions) =>
    http.call('rotateWebhookSecret', { path: { webhookId }, body, options }),
  /** Sends a `webhook.ping` event. */
  test: (webhookId: number, options?: RequestOptions) =>
    http.call('testWebhook', { path: { webhookId }, options }),
  deliveries: (webhookId: number, query?: Query<'listDeliveries'>, options?: RequestOptions) =>
    list(http, 'listDeliveries', 'Deliveries', { path: { webhookId }, query, options }),
  delivery: (webhookId: number, deliveryId: number, options?: RequestOptions) =>
    http.call('getDelivery', { path: { webhookId, deliveryId }, options }),
  redeliver: (webhookId: number, deliveryId: number, options?: RequestOptions) =>
    http.call('redeliver', { path: { webhookId, deliveryId }, options }),
  /** Lists the whole requests of a webhook whose `TargetURL` is `zoetrope:inspector`. */
  inspected: (webhookId: number, query?: Query<'listInspectedRequests'>, options?: RequestOptions) =>
    list(http, 'listInspectedRequests', 'Requests', { path: { webhookId }, query, options }),
  /** Returns whether requests succeed, whether deliveries are paused, and how many wait. */
  health: (webhookId: number, options?: RequestOptions) =>
    http.call('getWebhookHealth', { path: { webhookId }, options }),
  /** Returns the delivered and failed requests and the response times of each of the last 48 hours. */
  hours: (webhookId: number, options?: RequestOptions) =>
    http.call('getWebhookHours', { path: { webhookId }, options }),
  /** Sends the events of a time range again. `getReplay` returns the progress. */
  replay: (webhookId: number, body: Body<'replayEvents'>, options?: RequestOptions) =>
    http.call('replayEvents', { path: { webhookId }, body, options }),
  getReplay: (webhookId: number, replayId: number, options?: RequestOptions) =>
    http.call('getReplay', { path: { webhookId, replayId }, options }),
})
