import type { Database } from '../../../platform/db/database.ts'
import type { Log } from '../../../platform/log/log.ts'
import type { GuardedAgent } from '../../../platform/outbound/guarded-agent.ts'
import type { Sealer } from '../../../platform/base/secrets.ts'
import { createDeliveryIdentity } from '../../../accounts/partners/tokens/delivery-identity.ts'
import { createAttempt, type AttemptOutcome } from '../attempts/attempt-delivery.ts'
import { createWakeSignal } from './wake-signal.ts'
import { createDeliveryPump } from './delivery-pump.ts'
import { createDeliveryQueue, type DeliveryQueue } from './delivery-queue.ts'
import { isFresh, mayGet, type DueDelivery, type PreparedDelivery } from '../store/due-delivery.ts'
import { createDueReader } from './due-reader.ts'
import { neverTried } from '../health/endpoint-health.ts'
import { readHealth } from '../health/health-store.ts'
import { createPausedWebhooks } from './paused-webhooks.ts'
import { createInspector } from '../inspector/inspector.ts'
import type { MailQueue } from '../../../platform/mail/mail-queue.ts'
import { keepHealth } from './keep-health.ts'
import { startHourCounter } from './hour-counter.ts'
import { createFindAnyWebhook } from './find-any-webhook.ts'
import {
  cancelDeliveries,
  parkDeliveries,
  readDeliverableWebhooks,
  readEvents,
  wakeDeliveries,
  type DueRead,
} from './read-due-deliveries.ts'
import { createResultWriter } from './result-writer.ts'
import { retryDelaysSeconds } from '../attempts/retry-schedule.ts'
import { shardCount, shardOf, startShardLocks } from './shard-locks.ts'
import { writeResults } from '../store/write-results.ts'

export interface DeliveryEngineOptions {
  readonly database: Database
  readonly secrets: Sealer<'workers'>
  readonly agent: GuardedAgent
  readonly log: Log
  /** Public URL of this installation; the `iss` claim of the proof sent for an identity provider. */
  readonly publicUrl: string
  /** For e-mails about disabled webhooks. */
  readonly mails?: MailQueue
  readonly retryDelaysSeconds?: readonly number[]
  readonly requestTimeoutMs?: number
  /** Clock for signatures and the circuit breaker; the retry schedule uses the database clock. */
  readonly now?: () => Date
}

export interface DeliveryEngine {
  /**
   * Stops taking deliveries, gives in-flight requests `graceMs` to finish, writes their results and releases
   * the shards.
   */
  readonly stop: (options: { readonly graceMs: number }) => Promise<void>
}

/**
 * With 40 ms an event waits 20 ms on average, and an idle engine costs one indexed query 25 times a second.
 */
const pollMs = 40
const pollWithoutWebhooksMs = 250
const pauseAfterErrorMs = 1_000
const wakeEveryMs = 250
/** Shorter than the one second for which settings count as fresh. */
const refreshEveryMs = 500
/** Limits on deliveries in memory, per webhook and for one read of all webhooks. */
const maxReadPerWebhook = 256
const minReadPerWebhook = 4
const readOfAll = 4_096
/** A process may commonly open 1,024 to 4,096 files; this leaves most of them to the rest of the process. */
const maxInFlight = 1_000
/**
 * Requests still in flight after this delay are aborted, so that a slow receiver cannot delay a shard
 * handover.
 */
const handOverMs = 2_000

interface Settled extends AttemptOutcome {
  readonly queue: DeliveryQueue
  readonly delivery: PreparedDelivery
}

/**
 * Starts the engine that sends pending deliveries. A process owns the webhooks of its shards, so it claims no
 * rows. A delivery changes state only after the answer, so requests in flight when a process dies are sent
 * again.
 */
export const startDeliveryEngine = async (options: DeliveryEngineOptions): Promise<DeliveryEngine> => {
  const { database, log } = options
  const now = options.now ?? (() => new Date())
  const queues = new Map<number, DeliveryQueue>()
  /** Webhooks whose last read stopped at the limit. */
  const backlogged = new Set<number>()
  const paused = createPausedWebhooks()
  const readDue = createDueReader(database)
  const ending = new AbortController()
  /** Aborts the requests of a shard that is being handed over. */
  const shardAborts = Array.from({ length: shardCount }, () => new AbortController())
  let written: Settled[] = []
  let isStopping = false
  let lastWakeMs = 0
  let lastRefreshMs = 0

  const attempt = createAttempt({
    secrets: options.secrets,
    agent: options.agent,
    inspect: createInspector(options),
    identity: createDeliveryIdentity({ ...options, signal: ending.signal, nowMs: () => now().getTime() }),
    retryDelaysSeconds: options.retryDelaysSeconds ?? retryDelaysSeconds,
    requestTimeoutMs: options.requestTimeoutMs ?? 15_000,
    log,
    now,
  })

  const hours = startHourCounter(options)
  const writer = createResultWriter<Settled>(async (batch) => {
    await writeResults(
      database,
      batch.map(({ result }) => result),
    )
    const changed = await keepHealth(
      { database, log, now, publicUrl: options.publicUrl, ...(options.mails && { mails: options.mails }) },
      batch,
    )
    written.push(...batch)
    for (const { result } of batch) hours.add(result)
    for (const queue of changed) pump(queue)
  }, log)

  const wakeSignal = createWakeSignal()

  const signalOf = ({ webhookId }: DeliveryQueue): AbortSignal =>
    shardAborts[shardOf(webhookId)]?.signal ?? ending.signal

  const abortShard = (shard: number): void => {
    shardAborts[shard]?.abort()
    shardAborts[shard] = new AbortController()
  }

  const send = async (queue: DeliveryQueue, delivery: PreparedDelivery): Promise<void> => {
    const outcome = await attempt(queue.webhook(), delivery, signalOf(queue))
    if (outcome === null) queue.abandon(delivery)
    else if ('pauseMs' in outcome) {
      queue.abandon(delivery)
      pause(queue, outcome.pauseMs)
    } else {
      queue.settle(delivery, outcome.result.state === 'delivered')
      writer.add({ queue, delivery, ...outcome })
    }
    if (isLow(queue) && backlogged.delete(queue.webhookId)) wakeSignal.signal()
  }

  /**
   * Drops the deliveries already read. A later read returns them in order, so no other delivery overtakes
   * them.
   */
  const pause = (queue: DeliveryQueue, pauseMs: number): void => {
    queue.dropWaiting()
    paused.pause(queue.webhookId, pauseMs)
  }

  const { pump, pumpAll, settled } = createDeliveryPump({
    queues,
    mayGo: (queue) => !isStopping && locks.held().has(shardOf(queue.webhookId)) && isFresh(queue.webhook()),
    send,
    now,
    maxInFlight,
  })

  /**
   * Every read that starts after this call sees these results. Otherwise a delivery could be read twice or
   * past an ordering key that has just been blocked.
   */
  const removeWritten = (): void => {
    for (const { queue, delivery, result } of written.splice(0))
      queue.remove(delivery, result.state === 'delivered')
    for (const [webhookId, queue] of queues) if (queue.isEmpty()) queues.delete(webhookId)
  }

  const readLimit = (): number =>
    Math.max(minReadPerWebhook, Math.min(maxReadPerWebhook, Math.floor(readOfAll / (queues.size + 1))))

  /**
   * A read returns deliveries that are still in memory, so a refill waits until few are left; these last
   * until the next read.
   */
  const isLow = (queue: DeliveryQueue): boolean =>
    queue.waitingCount() + queue.inFlightCount() < Math.max(minReadPerWebhook / 2, readLimit() / 4)

  const recordBacklogs = (skipped: readonly number[], read: DueRead, limitPerWebhook: number): void => {
    backlogged.clear()
    for (const webhookId of skipped) backlogged.add(webhookId)
    for (const [webhookId, { length }] of Map.groupBy(read.sendable, (one) => one.webhookId))
      if (length === limitPerWebhook) backlogged.add(webhookId)
  }

  const poll = async (): Promise<void> => {
    removeWritten()
    const shards = [...locks.held()]
    if (shards.length === 0) return
    const nowMs = performance.now()
    if (nowMs - lastWakeMs >= wakeEveryMs) {
      const hasMore = await wakeDeliveries(database, shards)
      if (hasMore) wakeSignal.signal()
      else lastWakeMs = nowMs
    }
    const limitPerWebhook = readLimit()
    const skippedWebhookIds = [...queues.values()]
      .filter((queue) => !isLow(queue))
      .map(({ webhookId }) => webhookId)
    const read = await readDue({
      shards,
      skippedWebhookIds: [...skippedWebhookIds, ...paused.ids()],
      limitPerWebhook,
      limit: readOfAll,
      now: now(),
    })
    recordBacklogs(skippedWebhookIds, read, limitPerWebhook)
    const { sendable, blockedIds } = read
    if (blockedIds.length > 0) await writer.between(() => parkDeliveries(database, blockedIds))
    const fresh = sendable.filter(({ id, webhookId }) => queues.get(webhookId)?.has(id) !== true)
    const isRefreshDue = nowMs - lastRefreshMs >= refreshEveryMs
    if (isRefreshDue) lastRefreshMs = nowMs
    if (fresh.length === 0 && !(isRefreshDue && queues.size > 0)) return
    await enqueue(fresh, isRefreshDue ? [...queues.keys()] : [])
    pumpAll()
  }

  const enqueue = async (fresh: readonly DueDelivery[], refreshedIds: readonly number[]): Promise<void> => {
    const webhookIds = [...new Set([...fresh.map(({ webhookId }) => webhookId), ...refreshedIds])]
    const [webhooks, healths, events] = await Promise.all([
      readDeliverableWebhooks(database, webhookIds),
      readHealth(database.kysely, webhookIds),
      readEvents(database, [...new Set(fresh.map(({ eventId }) => eventId))]),
    ])
    for (const id of webhookIds) {
      const webhook = webhooks.get(id)
      const health = healths.get(id) ?? neverTried
      const queue = queues.get(id)
      if (webhook === undefined) queue?.dropWaiting()
      else if (queue === undefined) queues.set(id, createDeliveryQueue(webhook, health))
      else {
        queue.setWebhook(webhook)
        queue.setHealth(health)
      }
    }
    const unwanted: number[] = []
    const byWebhook = Map.groupBy(fresh, ({ webhookId }) => webhookId)
    for (const [webhookId, deliveries] of byWebhook) {
      const webhook = webhooks.get(webhookId)
      const prepared = deliveries.flatMap((delivery) => {
        const event = events.get(delivery.eventId)
        return event === undefined ? [] : [{ ...delivery, event }]
      })
      const byRight = Map.groupBy(
        prepared,
        ({ event }) => webhook !== undefined && mayGet(webhook, event.projectId),
      )
      unwanted.push(...(byRight.get(false) ?? []).map(({ id }) => id))
      // A delivery of the webhook may have been postponed after the read; these would overtake it.
      if (locks.held().has(shardOf(webhookId)) && !paused.has(webhookId))
        queues.get(webhookId)?.add(byRight.get(true) ?? [])
    }
    if (unwanted.length > 0) await writer.between(() => cancelDeliveries(database, unwanted))
  }

  const dropWaiting = (isDropped: (queue: DeliveryQueue) => boolean): void => {
    for (const queue of queues.values()) if (isDropped(queue)) queue.dropWaiting()
  }

  const locks = await startShardLocks({
    connection: database.connection,
    log,
    onLost: () => dropWaiting(() => true),
    drain: async (shard) => {
      const isOfShard = (queue: DeliveryQueue): boolean => shardOf(queue.webhookId) === shard
      dropWaiting(isOfShard)
      const timer = setTimeout(() => abortShard(shard), handOverMs)
      await settled(isOfShard)
      clearTimeout(timer)
      await writer.flush()
    },
  })

  const findAnyWebhook = createFindAnyWebhook(database)

  const run = async (): Promise<void> => {
    let hasFailed = false
    while (!isStopping) {
      let pauseMs = pollWithoutWebhooksMs
      try {
        if (await findAnyWebhook()) {
          await poll()
          pauseMs = pollMs
        }
        hasFailed = false
      } catch (error) {
        if (!hasFailed) log.error({ err: error }, 'cannot read webhook deliveries')
        hasFailed = true
      }
      await wakeSignal.wait(hasFailed ? pauseAfterErrorMs : pauseMs)
    }
  }
  const running = run()

  return {
    stop: async ({ graceMs }) => {
      isStopping = true
      wakeSignal.signal()
      await running
      const timer = setTimeout(() => {
        ending.abort()
        for (const abort of shardAborts) abort.abort()
      }, graceMs)
      await settled(() => true)
      clearTimeout(timer)
      await writer.close()
      await hours.close()
      await locks.close()
    },
  }
}
