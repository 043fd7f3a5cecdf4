import { Problem } from '../../../platform/base/problem.ts'

/** Tolerance for clocks that differ (OpenID Connect Core, section 3.1.3.7, item 10). */
export const maxClockSkewSeconds = 60

/**
 * Google ignores `max_age`, and sends no `auth_time`. Its users could confirm nothing otherwise. Other
 * providers that comply with OpenID Connect send it, or can be set up to do so.
 */
const sendsNoAuthTime: ReadonlySet<string> = new Set(['https://accounts.google.com'])

/**
 * Returns when the provider asked the person, or null if it does not say so (OpenID Connect Core, section 2:
 * `auth_time`). Throws 'forbidden' when it had to ask the person after `askAfterSeconds` and did not.
 */
export const askedAt = (authTime: unknown, issuer: string, askAfterSeconds: number | null): Date | null => {
  const isKnown = typeof authTime === 'number'
  if (askAfterSeconds === null) return isKnown ? new Date(authTime * 1_000) : null
  if (!isKnown) {
    // The person can remove `max_age` from the address of the provider, which then answers without asking.
    if (!sendsNoAuthTime.has(issuer)) throw new Problem('provider_sent_no_auth_time')
    return new Date()
  }
  if (authTime < askAfterSeconds - maxClockSkewSeconds) throw new Problem('provider_did_not_ask')
  return new Date(authTime * 1_000)
}
