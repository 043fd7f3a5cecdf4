import type { FastifyReply, FastifyRequest } from 'fastify'
import { callerOf, type BudgetKind } from '../requests/authenticate.ts'
import { Problem } from '../../base/problem.ts'
import type { TakeFromBudget } from './budget-store.ts'

const windowSeconds = 60

/**
 * A process takes this fraction of the rest at once. Unused slices then withhold little, and one busy process
 * gets nearly the whole limit.
 */
const sliceDivisor = 10

interface Budget {
  own: number
  shared: number
  waiting: number
  refill: Promise<void> | null
}

export interface RateLimitOptions {
  readonly take: TakeFromBudget
  /** Per minute and caller; 0 = off. */
  readonly limits: Readonly<Record<BudgetKind, number>>
  readonly now?: () => number
}

/**
 * Counts a request and sets its `RateLimit-*` headers. Throws 'rate_limited' when the minute's budget is used
 * up.
 */
export type LimitRate = (request: FastifyRequest, reply: FastifyReply) => Promise<void> | void

/**
 * Limits each caller across all processes without a database query per request. A process takes slices of the
 * minute's budget from a database row, and counts in memory. The headers follow
 * draft-ietf-httpapi-ratelimit-headers-06, which clients support.
 */
export const createRateLimits = ({ take, limits, now = Date.now }: RateLimitOptions): LimitRate => {
  let minute = 0
  let windowEndMs = 0
  const budgets = {
    reads: new Map<string, Budget>(),
    writes: new Map<string, Budget>(),
    signatures: new Map<string, Budget>(),
  }
  const policies = {
    reads: `${limits.reads};w=${windowSeconds}`,
    writes: `${limits.writes};w=${windowSeconds}`,
    signatures: `${limits.signatures};w=${windowSeconds}`,
  }

  const openWindow = (nowMs: number): void => {
    minute = Math.floor(nowMs / (windowSeconds * 1_000))
    windowEndMs = (minute + 1) * windowSeconds * 1_000
    for (const ofKind of Object.values(budgets)) ofKind.clear()
  }

  const refill = async (budget: Budget, key: Parameters<TakeFromBudget>[0], limit: number): Promise<void> => {
    const amount = Math.max(budget.waiting, Math.ceil(budget.shared / sliceDivisor))
    const taken = await take(key, amount)
    // The counter in the database is unbounded: an amount above the limit was not available.
    budget.own += Math.max(0, Math.min(amount, limit - (taken - amount)))
    budget.shared = Math.max(0, limit - taken)
  }

  /**
   * Returns false when the budget is empty. Check and decrement must be synchronous, because other requests
   * wait for the same slice.
   */
  const spendShared = async (
    budget: Budget,
    key: Parameters<TakeFromBudget>[0],
    limit: number,
  ): Promise<boolean> => {
    for (;;) {
      if (budget.own > 0) {
        budget.own -= 1
        return true
      }
      if (budget.shared === 0) return false
      budget.waiting += 1
      budget.refill ??= refill(budget, key, limit).finally(() => {
        budget.refill = null
      })
      try {
        await budget.refill
      } finally {
        budget.waiting -= 1
      }
    }
  }

  const answer = (
    reply: FastifyReply,
    budget: Budget,
    { kind, nowMs, isServed }: { kind: BudgetKind; nowMs: number; isServed: boolean },
  ): void => {
    const resetSeconds = Math.max(1, Math.ceil((windowEndMs - nowMs) / 1_000))
    reply
      .header('ratelimit-limit', limits[kind])
      .header('ratelimit-remaining', budget.own + budget.shared)
      .header('ratelimit-reset', resetSeconds)
      .header('ratelimit-policy', policies[kind])
    if (!isServed)
      throw new Problem(
        'rate_limit_exceeded',
        { limit: limits[kind], kind, seconds: resetSeconds },
        { headers: { 'Retry-After': String(resetSeconds) } },
      )
  }

  return ({ method, principal, routeOptions }, reply) => {
    const kind = routeOptions.config.budget ?? (method === 'GET' || method === 'HEAD' ? 'reads' : 'writes')
    const limit = limits[kind]
    if (limit === 0) return
    const nowMs = now()
    // Someone may have set the clock back.
    if (nowMs >= windowEndMs || nowMs < windowEndMs - windowSeconds * 1_000) openWindow(nowMs)
    const caller = callerOf(principal)
    let budget = budgets[kind].get(caller)
    if (budget === undefined) {
      budget = { own: 0, shared: limit, waiting: 0, refill: null }
      budgets[kind].set(caller, budget)
    }
    const isServed = budget.own > 0
    if (isServed || budget.shared === 0) {
      if (isServed) budget.own -= 1
      answer(reply, budget, { kind, nowMs, isServed })
      return
    }
    const found = budget
    const key = { accountId: principal.accountId, caller, kind, minute } as const
    return spendShared(found, key, limit).then((wasServed) =>
      answer(reply, found, { kind, nowMs, isServed: wasServed }),
    )
  }
}
