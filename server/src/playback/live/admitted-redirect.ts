import { timingSafeEqual } from 'node:crypto'
import { hmacSha256 } from '../../platform/base/secrets.ts'

/**
 * A browser that follows a redirect to a third host sends `Origin: null` there (Fetch standard, "serializing a request
 * origin"). So the node that has checked the origin adds a proof to the address.
 */
export interface AdmittedRedirects {
  /** Returns the address with a proof. */
  readonly add: (url: string, playoutId: string) => string
  /** Returns the address without its proof, and whether that is valid. */
  readonly take: (url: string, playoutId: string) => { readonly url: string; readonly isAdmitted: boolean }
}

const validSeconds = 60
const parameter = /[?&]admitted=([0-9]{1,12})\.([\w-]{43})(?=&|$)/

/** `nodeToken`: shared secret of the nodes. */
export const createAdmittedRedirects = (
  nodeToken: string,
  nowMs: () => number = Date.now,
): AdmittedRedirects => {
  const key = hmacSha256(Buffer.from(nodeToken), 'admitted redirect')
  const proofOf = (playoutId: string, seconds: number): string =>
    hmacSha256(key, `${playoutId} ${seconds}`).toString('base64url')
  const without = (url: string): string => {
    const rest = url.replace(parameter, '')
    // The parameter was the first of several.
    return rest === url || rest.includes('?') ? rest : rest.replace('&', '?')
  }
  return {
    add: (url, playoutId) => {
      const seconds = Math.floor(nowMs() / 1_000)
      const plain = without(url)
      return `${plain}${plain.includes('?') ? '&' : '?'}admitted=${seconds}.${proofOf(playoutId, seconds)}`
    },
    take: (url, playoutId) => {
      const found = url.includes('admitted=') ? parameter.exec(url) : null
      if (found === null) return { url, isAdmitted: false }
      const [, text = '', proof = ''] = found
      const wanted = Buffer.from(proofOf(playoutId, Number(text)))
      const given = Buffer.from(proof)
      const isGenuine = wanted.length === given.length && timingSafeEqual(wanted, given)
      const ageSeconds = nowMs() / 1_000 - Number(text)
      return { url: without(url), isAdmitted: isGenuine && Math.abs(ageSeconds) <= validSeconds }
    },
  }
}
