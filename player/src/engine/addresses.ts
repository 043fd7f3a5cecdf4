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

/** `root` is the path of the playout, such as `/s/<token>/v/<playout id>`. */
export const createAddresses = (root: string): Addresses => {
  const [, , first, path = ''] = /^(\/s\/([^/]+))?(\/[vl]\/[^/]+)$/.exec(root) ?? []
  let token = first === undefined ? null : decodeURIComponent(first)
  const base = (): string => (token === null ? '' : `/s/${encodeURIComponent(token)}`)
  return {
    of: (name) => `${base()}${path}/${name}`,
    renewed: (url) => {
      const at = url.indexOf(`${path}/`)
      if (at < 0 || token === null) return url
      const before = url.slice(0, at).replace(/\/s\/[^/]+$/, '')
      return `${before}${base()}${url.slice(at)}`
    },
    expiresAt: () => (token === null ? null : expiryOf(token)),
    setToken: (renewed) => {
      const expiresAt = token === null ? null : expiryOf(token)
      if (token === null || expiresAt === null || renewed === token) return false
      if (expiresAt.getTime() <= Date.now() && !canReplace(token, renewed)) return false
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
