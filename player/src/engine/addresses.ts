/**
 * Media URLs of one playout under the current signed link. A new link replaces the old one in all later
 * requests without interrupting playback.
 */
export interface Addresses {
  /** Returns the URL of a resource below the playout, such as `main.m3u8`. */
  readonly of: (name: string) => string
  /** Replaces the link in a URL by the current one. URLs of other playouts stay unchanged. */
  readonly renewed: (url: string) => string
  /** Null without a signed link. */
  readonly expiresAt: () => Date | null
  /** Time until the expiry by the clock of the server, where it is known; negative after it. Null without a signed link. */
  readonly leftMs: () => number | null
  /**
   * Continues under another link. Returns false without a change if there is no link to replace, or if the new
   * one cannot help: see `canReplace`.
   */
  readonly setToken: (token: string) => boolean
}

/** `k<kid>.<expiry, unix seconds in base 36>.<signature>`. */
const tokenForm = /^k[a-z]?\d+\.([0-9a-z]{1,9})\.[A-Za-z0-9_-]+$/

const expiryOf = (token: string): Date | null => {
  const [, expiry] = tokenForm.exec(token) ?? []
  const expiresAt = new Date(Number.parseInt(expiry ?? '', 36) * 1_000)
  return Number.isNaN(expiresAt.getTime()) ? null : expiresAt
}

/** Whether the text is a token with a valid expiry: nine digits can exceed the range of a date. */
export const isToken = (text: string): boolean => expiryOf(text) !== null

/**
 * Whether a link can take the place of an expired one. A page that answers each expiry with the same stale link
 * would otherwise make the player request it without end.
 */
export const canReplace = (expired: string, renewed: string): boolean =>
  (expiryOf(renewed)?.getTime() ?? 0) > (expiryOf(expired)?.getTime() ?? 0)

/**
 * The clock of the server, because that of the viewer may be wrong. The page states how long its link was valid when
 * it was sent.
 */
const serverClock = (expiresAt: Date | null, leftMs: number): (() => number) => {
  const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  // A page from the cache of the browser, as after "back", states what was left long ago.
  if (expiresAt === null || Number.isNaN(leftMs) || page?.transferSize === 0) return Date.now
  const originMs = expiresAt.getTime() - leftMs - (page?.responseStart ?? performance.now())
  return () => originMs + performance.now()
}

/**
 * `root` is the path of the playout, such as `/s/<token>/v/<playout id>`; `tokenLeftMs` is the attribute of the page
 * that states how long its token is valid.
 */
export const createAddresses = (root: string, tokenLeftMs?: string): Addresses => {
  const [, , first, path = ''] = /^(\/s\/([^/]+))?(\/[vl]\/[^/]+)$/.exec(root) ?? []
  let token = first === undefined ? null : decodeURIComponent(first)
  const expiresAt = (): Date | null => (token === null ? null : expiryOf(token))
  const now = serverClock(expiresAt(), Number(tokenLeftMs))
  const leftMs = (): number | null => {
    const expiry = expiresAt()
    return expiry === null ? null : expiry.getTime() - now()
  }
  const base = (): string => (token === null ? '' : `/s/${encodeURIComponent(token)}`)
  return {
    of: (name) => `${base()}${path}/${name}`,
    renewed: (url) => {
      const at = url.indexOf(`${path}/`)
      if (at < 0 || token === null) return url
      const before = url.slice(0, at).replace(/\/s\/[^/]+$/, '')
      return `${before}${base()}${url.slice(at)}`
    },
    expiresAt,
    leftMs,
    setToken: (renewed) => {
      const left = leftMs()
      if (token === null || left === null || renewed === token) return false
      if (left <= 0 && !canReplace(token, renewed)) return false
      token = renewed
      return true
    },
  }
}

/** Returns the status of the playlist now; null when the server cannot be reached. */
export const statusOf = (addresses: Addresses): Promise<number | null> =>
  fetch(addresses.of('main.m3u8'), { method: 'HEAD', cache: 'no-store' }).then(
    ({ status }) => status,
    () => null,
  )

/** Options for hls.js that make it request under the current link. */
export const loadingUnder = (
  addresses: Addresses,
): { readonly xhrSetup?: (xhr: XMLHttpRequest, url: string) => void } =>
  addresses.expiresAt() === null
    ? {}
    : {
        xhrSetup: (xhr, url) => {
          const renewed = addresses.renewed(url)
          if (renewed !== url) xhr.open('GET', renewed, true)
        },
      }
