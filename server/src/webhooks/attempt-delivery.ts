import { OutboundError } from '../kernel/outbound/outbound-error.ts'
import type { GuardedAgent } from '../kernel/outbound/guarded-agent.ts'
import type { Secrets } from '../kernel/secrets.ts'
import type { DeliveryIdentity, Held, RequestProof } from '../partners/delivery-identity.ts'
import { buildRequest, withProof } from './build-request.ts'
import { countAttempt } from './delivery-metrics.ts'
import { isBlocking, type DeliverableWebhook, type PreparedDelivery } from './due-delivery.ts'
import { readAnswer, type ReadAnswer } from './read-answer.ts'
import { nextDelayMs } from './retry-schedule.ts'
import type { AttemptResult } from './write-results.ts'

const excerptBytes = 4_096

export interface AttemptOutcome {
  readonly result: AttemptResult
  /** The receiver answered 410: it wants nothing more. */
  readonly isGone: boolean
}

/**
 * Sends the delivery once and says what follows; null when it was ended by us and doesn't count. Where the account's identity provider gives
 * nothing to prove it by, it is not sent and doesn't count either.
 */
export type Attempt = (
  webhook: DeliverableWebhook,
  delivery: PreparedDelivery,
) => Promise<AttemptOutcome | Held | null>

const proofFor = async (
  identity: DeliveryIdentity,
  { accountId, connectionId, connectionVersion }: DeliverableWebhook,
): Promise<RequestProof | Held | null> =>
  connectionId === null || connectionVersion === null
    ? null
    : identity.proofFor({ accountId, connectionId, version: connectionVersion })

export const createAttempt =
  (options: {
    readonly secrets: Secrets
    readonly agent: GuardedAgent
    readonly identity: DeliveryIdentity
    readonly retryDelaysSeconds: readonly number[]
    readonly requestTimeoutMs: number
    readonly signal: AbortSignal
    readonly now: () => Date
  }): Attempt =>
  async (webhook, delivery) => {
    const proof = await proofFor(options.identity, webhook)
    if (proof !== null && 'heldMs' in proof) return proof
    const startedAt = options.now()
    const startedMs = performance.now()
    let statusCode: number | null = null
    let responseExcerpt: string | null = null
    let read: ReadAnswer
    try {
      const request = buildRequest(webhook, delivery.event, options.secrets, startedAt)
      const { url, headers, body } = proof === null ? request : withProof(request, proof, startedAt)
      const answer = await options.agent.request(url, {
        method: 'POST',
        headers,
        body,
        timeoutMs: options.requestTimeoutMs,
        maxResponseBytes: excerptBytes,
        signal: options.signal,
      })
      statusCode = answer.status
      if (statusCode === 401) proof?.distrust()
      responseExcerpt = answer.bodyExcerpt
      read = readAnswer(answer, options.now())
    } catch (error) {
      if (error instanceof OutboundError && error.code === 'aborted') return null
      const sentence =
        error instanceof OutboundError
          ? error.message
          : `The request could not be made: ${(error as Error).message}.`
      read = { verdict: 'refused', error: sentence, retryAfterSeconds: null }
    }
    countAttempt(read.verdict)
    return {
      isGone: read.verdict === 'gone',
      result: {
        deliveryId: delivery.id,
        webhookId: delivery.webhookId,
        fileId: delivery.fileId,
        startedAt,
        durationMs: Math.round(performance.now() - startedMs),
        statusCode,
        responseExcerpt,
        error: read.error,
        ...consequences(delivery, read, options.retryDelaysSeconds, Math.random()),
      },
    }
  }

/** What an answer means for the delivery and for those behind it. */
export const consequences = (
  delivery: PreparedDelivery,
  read: ReadAnswer,
  delaysSeconds: readonly number[],
  random: number,
): Pick<AttemptResult, 'number' | 'state' | 'delayMs' | 'blocksLane' | 'releasesLane'> => {
  const number = delivery.attemptCount + 1
  const delayMs =
    read.verdict === 'refused'
      ? nextDelayMs(number - delivery.scheduleStart, read.retryAfterSeconds, delaysSeconds, random)
      : null
  const state = read.verdict === 'delivered' ? 'delivered' : delayMs === null ? 'failed' : 'waiting'
  const blocksLane = state === 'waiting' && isBlocking({ ...delivery, attemptCount: number })
  return { number, state, delayMs, blocksLane, releasesLane: isBlocking(delivery) && !blocksLane }
}
