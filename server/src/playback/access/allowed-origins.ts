import type { IncomingHttpHeaders } from 'node:http'

const hostOf = (origin: string): string | null => (URL.canParse(origin) ? new URL(origin).host : null)

/** Like the sources of `frame-ancestors`: a leading `*.` matches every subdomain, and no port the default one. */
const isHostOf = (domain: string, host: string): boolean =>
  domain.startsWith('*.') ? host.endsWith(domain.slice(1).toLowerCase()) : host === domain.toLowerCase()

/**
 * Whether a page of the request's Origin may play, or none is named. Browsers send it from other pages. Other programs can omit or forge it,
 * so this stops the players of other sites, not downloads.
 */
export type IsOriginAllowed = (
  headers: Pick<IncomingHttpHeaders, 'origin' | 'host'>,
  allowedDomains: readonly string[],
) => boolean

export const createOriginCheck = (publicUrl: string): IsOriginAllowed => {
  const ownHost = hostOf(publicUrl)
  return ({ origin, host: requestedHost }, allowedDomains) => {
    if (allowedDomains.length === 0 || origin === undefined) return true
    const host = hostOf(origin)
    const isOwn = host !== null && (host === ownHost || host === requestedHost?.toLowerCase())
    return isOwn || allowedDomains.some((domain) => isHostOf(domain, host ?? ''))
  }
}
