import { isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import { Problem } from '../../base/problem.ts'

const windowMs = 60_000

export interface Refusals {
  /**
   * Throws 'rate_limited' when too many tokens from this address were refused in this minute; further ones
   * are not checked.
   */
  readonly check: (address: string) => void
  readonly count: (address: string) => void
}

/** The owner of an IPv6 address usually has its whole /64. */
export const networkOf = (address: string): string => {
  // Parsing takes longer than all else that a report of a player needs here.
  if (isIPv4(address)) return address
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv4' ? parsed.toString() : parsed.toNormalizedString().split(':', 4).join(':')
}

/** Returns the /48 of an IPv6 address, which providers assign to one customer. */
export const siteOf = (address: string): string | null => {
  const network = networkOf(address)
  return network.includes(':') ? network.split(':', 3).join(':') : null
}

/** Limits token guessing, and the CPU time that an attacker can cause by token checks. 0 = off. */
export const createRefusals = (perMinute: number, now: () => number = Date.now): Refusals => {
  let windowEndMs = 0
  const refused = new LRUCache<string, number>({ max: 10_000 })
  const openWindow = (): void => {
    const nowMs = now()
    // Someone may have set the clock back.
    if (nowMs < windowEndMs && nowMs >= windowEndMs - windowMs) return
    windowEndMs = nowMs - (nowMs % windowMs) + windowMs
    refused.clear()
  }
  return {
    check: (address) => {
      openWindow()
      if (perMinute === 0 || (refused.get(networkOf(address)) ?? 0) < perMinute) return
      const retryAfter = Math.max(1, Math.ceil((windowEndMs - now()) / 1_000))
      throw new Problem(
        'too_many_refused_keys',
        { seconds: retryAfter },
        { headers: { 'Retry-After': String(retryAfter) } },
      )
    },
    count: (address) => {
      openWindow()
      const network = networkOf(address)
      refused.set(network, (refused.get(network) ?? 0) + 1)
    },
  }
}
