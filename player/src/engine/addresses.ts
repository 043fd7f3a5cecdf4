/**
 * Where the media of one playout lie, under the link of the moment. A signed link stands in every address, so a new one takes the place of
 * the old one in what is loaded from then on, and what plays goes on playing.
 */
export interface Addresses {
  /** The address of something below the playout's own, such as `main.m3u8`. */
  readonly of: (name: string) => string
  /** The same address under the link of the moment; those of other playouts stay as they are. */
  readonly renewed: (url: string) => string
  /** Null without a signed link. */
  readonly expiresAt: () => Date | null
  readonly setToken: (token: string) => void
}

/** `k<kid>.<expiry, unix seconds in base 36>.<signature>`. */
const tokenForm = /^k[a-z]?\d+\.([0-9a-z]{1,9})\.[A-Za-z0-9_-]+$/

const expiryOf = (token: string): Date | null => {
  const [, expiry] = tokenForm.exec(token) ?? []
  const expiresAt = new Date(Number.parseInt(expiry ?? '', 36) * 1_000)
  return Number.isNaN(expiresAt.getTime()) ? null : expiresAt
}

/** With an end that is an instant: nine digits can be more than a date holds. */
export const isToken = (text: string): boolean => expiryOf(text) !== null

/** `root` is that of the playout, such as `/s/<token>/v/<playout id>`. */
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
      token = renewed
    },
  }
}

/** What hls.js is told so that it loads under the link of the moment. */
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
