import type { ServerResponse } from 'node:http'
import { Problem } from '../../../platform/base/problem.ts'
import { createOriginCheck } from '../../../playback/access/allowed-origins.ts'
import { createAdmittedRedirects } from '../../../playback/live/admitted-redirect.ts'
import type { LiveStreamFacts } from '../../../playback/live/live-access.ts'
import { varyByOrigin } from './send-live.ts'
import type { WhoAsks } from './who-asks.ts'

type Domains = Pick<LiveStreamFacts, 'allowedDomains'>

/** Applies `AllowedDomains` on a node that viewers reach at an address of its own. */
export const createViewerOrigins = ({
  publicUrl,
  token,
  who,
}: {
  readonly publicUrl: string
  readonly token: string
  readonly who: WhoAsks
}) => {
  const isOriginAllowed = createOriginCheck(publicUrl)
  const redirects = createAdmittedRedirects(token, () => Date.now())
  return {
    take: redirects.take,
    /** Throws 'site_not_allowed'. An api node has checked what it forwards, and a redirect hides the origin. */
    admit: (response: ServerResponse, { allowedDomains }: Domains, isAdmitted: boolean): void => {
      if (allowedDomains.length === 0) return
      const request = response.req
      varyByOrigin(response)
      if (who.isPassedOn(request) || (isAdmitted && request.headers.origin === 'null')) return
      if (!isOriginAllowed(request.headers, allowedDomains)) throw new Problem('site_not_allowed')
    },
    /** Returns the address for a redirect of an admitted request. */
    redirect: (
      { req }: ServerResponse,
      url: string,
      playoutId: string,
      { allowedDomains }: Domains,
    ): string =>
      allowedDomains.length > 0 && req.headers.origin !== undefined ? redirects.add(url, playoutId) : url,
  }
}
