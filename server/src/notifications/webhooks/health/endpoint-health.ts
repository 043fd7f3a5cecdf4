import type { Message, MessageParams } from '@zoetrope/vocabulary'

/** Recent results of an endpoint. Null means that the event never happened or no longer applies. */
export interface EndpointHealth {
  /** Counts the writes; the higher of two revisions is the newer. 0 = never tried. */
  readonly revision: number
  readonly failuresInRow: number
  /** Time of the first failure since the last success. */
  readonly failingSince: Date | null
  readonly pauseCount: number
  /** No requests are sent before this time; then one at a time until one is delivered. */
  readonly pausedUntil: Date | null
  readonly lastSuccessAt: Date | null
  readonly lastFailureAt: Date | null
  readonly lastFailureStatus: number | null
  readonly lastFailureError: string | null
  /** Null for a failure of an older release. */
  readonly lastFailureReason: string | null
  readonly lastFailureParams: MessageParams | null
}

export interface AttemptOfEndpoint {
  readonly isDelivered: boolean
  readonly startedAt: Date
  readonly durationMs: number
  readonly statusCode: number | null
  readonly error: Message | null
}

export const neverTried: EndpointHealth = {
  revision: 0,
  failuresInRow: 0,
  failingSince: null,
  pauseCount: 0,
  pausedUntil: null,
  lastSuccessAt: null,
  lastFailureAt: null,
  lastFailureStatus: null,
  lastFailureError: null,
  lastFailureReason: null,
  lastFailureParams: null,
}

export const failuresThatPause = 10
const firstPauseSeconds = 30
const longestPauseSeconds = 1_800
const daysUntilDisabled = 5
/** Longer than any delay of the retry schedule: a failure after such a gap starts a new count. */
const quietMs = 30 * 3_600_000

const pauseSeconds = (pausesBefore: number): number =>
  Math.min(firstPauseSeconds * 2 ** pausesBefore, longestPauseSeconds)

/** Computes the breaker state after a failure. Requests in flight when the pause began do not extend it. */
const pauseAfterFailure = (
  { pausedUntil, pauseCount }: EndpointHealth,
  failuresInRow: number,
  { startedAt }: AttemptOfEndpoint,
  endedAt: Date,
): Pick<EndpointHealth, 'pausedUntil' | 'pauseCount'> => {
  const isDue = pausedUntil === null ? failuresInRow >= failuresThatPause : startedAt >= pausedUntil
  if (!isDue) return { pausedUntil, pauseCount }
  return {
    pausedUntil: new Date(endedAt.getTime() + 1000 * pauseSeconds(pauseCount)),
    pauseCount: pauseCount + 1,
  }
}

export const afterAttempt = (health: EndpointHealth, attempt: AttemptOfEndpoint): EndpointHealth => {
  const endedAt = new Date(attempt.startedAt.getTime() + attempt.durationMs)
  const revision = health.revision + 1
  if (attempt.isDelivered)
    return {
      ...health,
      revision,
      failuresInRow: 0,
      failingSince: null,
      pauseCount: 0,
      pausedUntil: null,
      lastSuccessAt: endedAt,
    }
  const isInRow =
    health.lastFailureAt !== null && endedAt.getTime() - health.lastFailureAt.getTime() <= quietMs
  const failuresInRow = isInRow ? health.failuresInRow + 1 : 1
  return {
    ...health,
    revision,
    failuresInRow,
    failingSince: (isInRow ? health.failingSince : null) ?? endedAt,
    ...pauseAfterFailure(health, failuresInRow, attempt, endedAt),
    lastFailureAt: endedAt,
    lastFailureStatus: attempt.statusCode,
    lastFailureError: attempt.error?.text ?? null,
    lastFailureReason: attempt.error?.reason ?? null,
    lastFailureParams: attempt.error?.params ?? null,
  }
}

/** Returns the allowed number of concurrent requests; `usual` when the breaker is closed. */
export const allowedInFlight = ({ pausedUntil }: EndpointHealth, now: Date, usual: number): number => {
  if (pausedUntil === null) return usual
  return now < pausedUntil ? 0 : 1
}

/**
 * Returns whether an endpoint has failed for days without a success. It must also have failed as often as the
 * breaker requires, so that one rejected event is not enough. One full schedule makes that many failures.
 */
export const isGivenUp = ({ failingSince, failuresInRow, lastFailureAt }: EndpointHealth): boolean =>
  failingSince !== null &&
  lastFailureAt !== null &&
  failuresInRow >= failuresThatPause &&
  lastFailureAt.getTime() - failingSince.getTime() >= daysUntilDisabled * 86_400_000

/** Writes the health of a working endpoint at most once a second, so most deliveries cost no write here. */
const writeEveryMs = 1_000

export const isWorthNoting = (health: EndpointHealth, attempt: AttemptOfEndpoint): boolean =>
  !attempt.isDelivered ||
  health.failuresInRow > 0 ||
  health.pausedUntil !== null ||
  health.lastSuccessAt === null ||
  attempt.startedAt.getTime() + attempt.durationMs - health.lastSuccessAt.getTime() >= writeEveryMs
