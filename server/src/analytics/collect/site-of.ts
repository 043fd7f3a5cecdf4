import type { IncomingHttpHeaders } from 'node:http'

const longestSite = 100

/** Host of the page that plays, from the headers of its browser. `direct` is a page of this server, or none. */
export const siteOf = ({ origin, referer, host }: IncomingHttpHeaders, publicUrl: string): string => {
  const page = origin !== undefined && origin !== 'null' ? origin : referer
  if (page === undefined || !URL.canParse(page)) return 'direct'
  const { host: site } = new URL(page)
  const isOwn = site === host?.toLowerCase() || site === new URL(publicUrl).host
  return isOwn || site === '' ? 'direct' : site.slice(0, longestSite)
}
