/** How an endpoint has answered lately. Null = never, or not any more. */
export interface EndpointHealth {
  /** Counts the writes: of two that were read the higher is the later. 0 = never tried. */
  readonly revision: number
  readonly failuresInRow: number
  /** The first failure after the last success. */
  readonly failingSince: Date | null
  /** How often the breaker has paused without a success in between. */
  readonly pauseCount: number
  /** Nothing is sent before, and then one request at a time until one is delivered. */
  readonly pausedUntil: Date | null
  readonly lastSuccessAt: Date | null
  readonly lastFailureAt: Date | null
  readonly lastFailureStatus: number | null
  readonly lastFailureError: string | null
}

export interface AttemptOfEndpoint {
  readonly isDelivered: boolean
  readonly startedAt: Date
  readonly durationMs: number
  readonly statusCode: number | null
  readonly error: string | null
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
}

export const failuresThatPause = 10
const firstPauseSeconds = 30
const longestPauseSeconds = 1_800
const daysUntilDisabled = 5
/** Longer than any pause of the retry schedule: who fails after such a time, in which nobody asked, fails anew. */
const quietMs = 30 * 3_600_000

const pauseSeconds = (pausesBefore: number): number =>
  Math.min(firstPauseSeconds * 2 ** pausesBefore, longestPauseSeconds)

/** What the breaker does at a failure. Requests that were under way when it began to pause say nothing new. */
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
    lastFailureError: attempt.error,
  }
}

/** How many requests the endpoint may get at once; `usual` where nothing is wrong. */
export const allowedInFlight = ({ pausedUntil }: EndpointHealth, now: Date, usual: number): number => {
  if (pausedUntil === null) return usual
  return now < pausedUntil ? 0 : 1
}

/**
 * Nothing but failures for days. A single event that nobody wanted is not enough: as many failures as the breaker wants, which is also what
 * one whole schedule makes.
 */
export const isGivenUp = ({ failingSince, failuresInRow, lastFailureAt }: EndpointHealth): boolean =>
  failingSince !== null &&
  lastFailureAt !== null &&
  failuresInRow >= failuresThatPause &&
  lastFailureAt.getTime() - failingSince.getTime() >= daysUntilDisabled * 86_400_000

/** A healthy endpoint is noted once a second: most deliveries cost no write here. */
const noteEveryMs = 1_000

export const isWorthNoting = (health: EndpointHealth, attempt: AttemptOfEndpoint): boolean =>
  !attempt.isDelivered ||
  health.failuresInRow > 0 ||
  health.pausedUntil !== null ||
  health.lastSuccessAt === null ||
  attempt.startedAt.getTime() + attempt.durationMs - health.lastSuccessAt.getTime() >= noteEveryMs
