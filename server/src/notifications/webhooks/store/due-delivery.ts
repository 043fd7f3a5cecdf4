import type { CausedEvent } from '../../../platform/outbox/domain-event.ts'
import type { SealedHeaders } from './custom-headers.ts'

export interface DueDelivery {
  readonly id: number
  readonly webhookId: number
  readonly eventId: number
  /**
   * Ordering key: deliveries with the same key keep their order. Null when unordered, as after a manual
   * redelivery.
   */
  readonly orderingKey: number | null
  /** Attempts so far, over all schedules. */
  readonly attemptCount: number
  /** `attemptCount` when the current schedule started. */
  readonly scheduleStart: number
}

export interface PreparedDelivery extends DueDelivery {
  readonly event: CausedEvent
}

export interface DeliverableWebhook {
  readonly id: number
  /** Time of the read, by `performance.now()`. */
  readonly readAtMs: number
  readonly accountId: number
  /** Null = all projects of the account. */
  readonly projectId: number | null
  /** The account's identity provider, which must prove each request; null when none is connected. */
  readonly connectionId: number | null
  readonly connectionVersion: number | null
  readonly targetUrl: string
  readonly sealedHeaders: SealedHeaders
  readonly sealedSecret: Buffer
  readonly previousSealedSecret: Buffer | null
  readonly previousSecretUntil: Date | null
}

/** Whether the webhook may have this event: it may have moved to another project since the delivery was made. */
export const mayGet = (webhook: Pick<DeliverableWebhook, 'projectId'>, projectId: number | null): boolean =>
  webhook.projectId === null || webhook.projectId === projectId

const freshForMs = 1_000

/**
 * Returns whether the settings are at most one second old. The engine never sends with older ones, so
 * disabling a webhook or connecting a provider takes effect within that time.
 */
export const isFresh = ({ readAtMs }: DeliverableWebhook): boolean =>
  performance.now() - readAtMs <= freshForMs

/**
 * Later deliveries of an ordering key wait for at most this many failed attempts of the first one: about 37
 * minutes of the default schedule.
 */
export const attemptsThatBlock = 5

const attemptsInSchedule = (delivery: DueDelivery): number => delivery.attemptCount - delivery.scheduleStart

/** Returns whether the delivery has failed and later deliveries of its ordering key wait for it. */
export const isBlocking = (delivery: DueDelivery): boolean =>
  delivery.orderingKey !== null &&
  attemptsInSchedule(delivery) >= 1 &&
  attemptsInSchedule(delivery) <= attemptsThatBlock

export const orderingKeyOf = (delivery: DueDelivery): number | null =>
  attemptsInSchedule(delivery) > attemptsThatBlock ? null : delivery.orderingKey
