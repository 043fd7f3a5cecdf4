import { messageOf } from '@zoetrope/vocabulary'
import type { Log } from '../../../platform/log/log.ts'
import { OutboundError } from '../../../platform/outbound/outbound-error.ts'
import type { GuardedAgent } from '../../../platform/outbound/guarded-agent.ts'
import { traced } from '../../../platform/telemetry/tracing.ts'
import { createThrottle } from '../../../platform/base/throttle.ts'
import type { Sealer } from '../../../platform/base/secrets.ts'
import type {
  DeliveryIdentity,
  Pause,
  RequestProof,
} from '../../../accounts/partners/tokens/delivery-identity.ts'
import type { OutboundAnswer } from '../../../platform/outbound/await-answer.ts'
import { buildRequest, withProof } from '../store/build-request.ts'
import { recordAttempt } from './delivery-metrics.ts'
import { isBlocking, isFresh, type DeliverableWebhook, type PreparedDelivery } from '../store/due-delivery.ts'
import { hideSecrets } from './hide-secrets.ts'
import { inspectorTarget, type Inspect } from '../inspector/inspector.ts'
import { readAnswer, type ReadAnswer } from './read-answer.ts'
import { nextDelayMs } from './retry-schedule.ts'
import type { AttemptResult } from '../store/write-results.ts'

const excerptBytes = 4_096

/** Delay before retrying after a fault of Zoetrope or of this machine, in milliseconds. */
const ownFaultPauseMs = 1_000
const logFaultEveryMs = 60_000

/** Codes for exhausted sockets, files or memory on this machine; they do not count against the receiver. */
const exhaustionCodes = ['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM']

const isExhaustion = ({ cause }: OutboundError): boolean =>
  exhaustionCodes.includes((cause as { code?: string } | undefined)?.code ?? '')

export interface AttemptOutcome {
  readonly result: AttemptResult
  /** URL of this request; the webhook may have a different URL by now. */
  readonly targetUrl: string
  /** True when the receiver answered 410 Gone and wants no further requests. */
  readonly isGone: boolean
}

/**
 * Sends the delivery once and returns the outcome, or null when the signal aborted the request. Returns
 * `pauseMs`, without counting an attempt, when a fault of Zoetrope, this machine or the identity provider
 * prevents sending.
 */
export type Attempt = (
  webhook: DeliverableWebhook,
  delivery: PreparedDelivery,
  signal: AbortSignal,
) => Promise<AttemptOutcome | Pause | null>

/** Resolves to null as soon as the signal aborts. */
const unlessAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T | null> =>
  new Promise((resolve, reject) => {
    const onAbort = (): void => resolve(null)
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })

/** Returns null when the account has no identity provider. */
const proofFor = async (
  identity: DeliveryIdentity,
  webhook: DeliverableWebhook,
  signal: AbortSignal,
): Promise<RequestProof | Pause | null> => {
  const { accountId, connectionId, connectionVersion } = webhook
  if (connectionId === null || connectionVersion === null) return null
  const proof = await unlessAborted(
    identity.proofFor({ accountId, connectionId, version: connectionVersion }),
    signal,
  )
  // The owner may have disabled the webhook while the provider was slow, so stale settings are read again.
  return isFresh(webhook) ? proof : { pauseMs: 0 }
}

export const createAttempt = (options: {
  readonly inspect: Inspect
  readonly secrets: Sealer<'workers'>
  readonly agent: GuardedAgent
  readonly identity: DeliveryIdentity
  readonly log: Log
  readonly retryDelaysSeconds: readonly number[]
  readonly requestTimeoutMs: number
  readonly now: () => Date
}): Attempt => {
  const mayLog = createThrottle(logFaultEveryMs)

  const pauseFor = (error: unknown, { id, accountId }: DeliverableWebhook): Pause => {
    if (mayLog(accountId))
      options.log.error({ err: error, accountId, webhookId: id }, 'cannot send a delivery; it is paused')
    return { pauseMs: ownFaultPauseMs }
  }

  const sendOut = async (
    webhook: DeliverableWebhook,
    { event }: PreparedDelivery,
    proof: RequestProof | null,
    { startedAt, signal }: { readonly startedAt: Date; readonly signal: AbortSignal },
  ): Promise<OutboundAnswer> => {
    const request = buildRequest(webhook, event, options.secrets, startedAt)
    const { url, headers, body } = proof === null ? request : withProof(request, proof, startedAt)
    const answer = await traced(
      'POST webhook',
      {
        kind: 'client',
        parent: event.traceparent,
        attributes: { 'zoetrope.webhook_id': webhook.id, 'zoetrope.event': event.name },
      },
      async (span) => {
        const received = await options.agent.request(url, {
          method: 'POST',
          headers: span === null ? headers : { ...headers, traceparent: span.traceparent },
          body,
          timeoutMs: options.requestTimeoutMs,
          maxResponseBytes: excerptBytes,
          signal,
        })
        span?.set({ 'http.response.status_code': received.status })
        return received
      },
    )
    if (answer.status === 401) proof?.distrust()
    return { ...answer, bodyExcerpt: hideSecrets(answer.bodyExcerpt, headers) }
  }

  return async (webhook, delivery, signal) => {
    const isInspected = webhook.targetUrl === inspectorTarget
    // Inspected requests never leave the process, so the inspector does not need the provider's tokens and
    // must not show them.
    const proof = isInspected ? null : await proofFor(options.identity, webhook, signal)
    if (signal.aborted) return null
    if (proof !== null && 'pauseMs' in proof) return proof
    const startedAt = options.now()
    const startedMs = performance.now()
    let statusCode: number | null = null
    let responseExcerpt: string | null = null
    let read: ReadAnswer
    try {
      const answer = isInspected
        ? await options.inspect(webhook, delivery.event, startedAt)
        : await sendOut(webhook, delivery, proof, { startedAt, signal })
      statusCode = answer.status
      responseExcerpt = answer.bodyExcerpt
      read = readAnswer(answer, options.now())
    } catch (error) {
      if (!(error instanceof OutboundError) || isExhaustion(error)) return pauseFor(error, webhook)
      if (error.code === 'aborted') return null
      read = { verdict: 'refused', error: messageOf(error), retryAfterSeconds: null }
    }
    const durationMs = performance.now() - startedMs
    recordAttempt({
      result: read.verdict,
      durationSeconds: durationMs / 1000,
      eventAgeSeconds: (startedAt.getTime() + durationMs - delivery.event.occurredAt.getTime()) / 1000,
    })
    return {
      isGone: read.verdict === 'gone',
      targetUrl: webhook.targetUrl,
      result: {
        deliveryId: delivery.id,
        webhookId: delivery.webhookId,
        orderingKey: delivery.orderingKey,
        startedAt,
        durationMs: Math.round(durationMs),
        statusCode,
        responseExcerpt,
        error: read.error,
        ...consequences(delivery, read, options.retryDelaysSeconds, Math.random()),
      },
    }
  }
}

/**
 * Derives from an answer the next state of the delivery and of its ordering key. After 410, the delivery waits until
 * the webhook is enabled again.
 */
export const consequences = (
  delivery: PreparedDelivery,
  read: ReadAnswer,
  delaysSeconds: readonly number[],
  random: number,
): Pick<AttemptResult, 'number' | 'state' | 'delayMs' | 'blocksKey' | 'releasesKey'> => {
  const number = delivery.attemptCount + 1
  const delayMs =
    read.verdict === 'delivered'
      ? null
      : nextDelayMs(number - delivery.scheduleStart, read.retryAfterSeconds, delaysSeconds, random)
  const state = read.verdict === 'delivered' ? 'delivered' : delayMs === null ? 'failed' : 'waiting'
  const blocksKey = state === 'waiting' && isBlocking({ ...delivery, attemptCount: number })
  return { number, state, delayMs, blocksKey, releasesKey: isBlocking(delivery) && !blocksKey }
}
