import type { IncomingHttpHeaders } from 'node:http'
import { customDimensionPrefix, pageDimension } from '@zoetrope/vocabulary'
import { directSite, unknownValue, type Dimensions } from '../dimensions/names.ts'
import { agentOf } from '../dimensions/user-agents.ts'
import { siteOf } from './site-of.ts'
import type { Subject } from './subjects.ts'

const longestPage = 200

/** The player of Zoetrope may name a site alone, or a path alone. */
const declaredPath = /^(?:https?:\/\/[^/?#]+)?(\/[^?#]*)/

/** Path of the page that plays, without its query. A page of this server is a player, and does not name the page around it. */
const pathOf = (declared: string, referer: string, isOwn: boolean): string | null => {
  const [, path] = declaredPath.exec(declared) ?? []
  if (path !== undefined) return path
  const ofRequest = isOwn ? '/' : (URL.parse(referer)?.pathname ?? '/')
  // Browsers send the site alone to other sites, unless the page allows more.
  return ofRequest === '/' ? null : ofRequest
}

/** The dimensions of a session, with `unknown` where nothing tells. */
export const dimensionsOf = ({
  headers,
  declared,
  format,
  country,
  subject,
  isPageCollected,
  publicUrl,
}: {
  readonly headers: IncomingHttpHeaders
  readonly declared: Dimensions
  readonly format: string | null
  readonly country: string
  readonly subject: Subject
  readonly isPageCollected: boolean
  readonly publicUrl: string
}): Dimensions => {
  const agent = agentOf(headers['user-agent'])
  const ofRequest = siteOf(headers, publicUrl)
  const isOwn = ofRequest === directSite
  const declaredPage = declared[pageDimension]
  // The player of Zoetrope plays in a frame of its own, and names the site around it.
  const site =
    isOwn && declaredPage !== undefined ? siteOf({ ...headers, origin: declaredPage }, publicUrl) : ofRequest
  const path = isPageCollected ? pathOf(declaredPage ?? '', headers.referer ?? '', isOwn) : null
  return {
    country,
    device: agent.device,
    browser: agent.browser,
    os: agent.os,
    player: declared['player'] ?? agent.player ?? unknownValue,
    format: format ?? unknownValue,
    stream: subject.isLive ? 'live' : 'vod',
    site,
    ...(isPageCollected && {
      [pageDimension]:
        path === null
          ? unknownValue // PostgreSQL refuses half a surrogate pair.
          : `${site === directSite ? '' : site}${path}`.slice(0, longestPage).toWellFormed(),
    }),
    ...Object.fromEntries(
      subject.customNames.map((name) => [
        customDimensionPrefix + name,
        declared[customDimensionPrefix + name] ?? unknownValue,
      ]),
    ),
  }
}
