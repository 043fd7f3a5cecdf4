import type { StoredEvent } from '../kernel/events/domain-event.ts'

/** A delivery that is to be sent now. */
export interface DueDelivery {
  readonly id: number
  readonly webhookId: number
  readonly eventId: number
  /** Deliveries of one lane keep their order; null: it has none, as after a redelivery by hand. */
  readonly lane: number | null
  /** All attempts so far. */
  readonly attemptCount: number
  /** `attemptCount` when the present schedule began. */
  readonly scheduleStart: number
}

export interface PreparedDelivery extends DueDelivery {
  readonly event: StoredEvent
}

/** What of a webhook is needed to send to it. */
export interface DeliverableWebhook {
  readonly id: number
  /** By `performance.now()`. */
  readonly readAtMs: number
  readonly accountId: number
  /** The identity provider without which nothing is sent; null where none is connected. */
  readonly connectionId: number | null
  readonly connectionVersion: number | null
  readonly targetUrl: string
  readonly customHeaders: Readonly<Record<string, string>>
  readonly sealedSecret: Buffer
  readonly previousSealedSecret: Buffer | null
  readonly previousSecretUntil: Date | null
}

const freshForMs = 1_000

/** Nothing is sent by older settings: whoever disables a webhook, or connects an identity provider, knows when that is in force. */
export const isFresh = ({ readAtMs }: DeliverableWebhook): boolean =>
  performance.now() - readAtMs <= freshForMs

/** Later deliveries of a lane wait while the head has failed at most this often: some 37 minutes of the default schedule. */
export const attemptsThatBlock = 5

const attemptsInSchedule = (delivery: DueDelivery): number => delivery.attemptCount - delivery.scheduleStart

/** It has failed, and the later deliveries of its lane wait for it. */
export const isBlocking = (delivery: DueDelivery): boolean =>
  delivery.lane !== null &&
  attemptsInSchedule(delivery) >= 1 &&
  attemptsInSchedule(delivery) <= attemptsThatBlock

/** Whose deliveries to this webhook go one after the other; null where this one keeps no order. */
export const laneOf = (delivery: DueDelivery): number | null =>
  attemptsInSchedule(delivery) > attemptsThatBlock ? null : delivery.lane
