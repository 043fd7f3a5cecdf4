import { isIP } from 'node:net'
import { hostOf, type OutboundPolicy } from '../../../platform/outbound/outbound-policy.ts'
import { invalidField, invalidValue } from '../../../platform/base/problem.ts'

/** The default port of RTMP, and that of https for RTMPS. An SRT address must name a port. */
const defaultPorts: Readonly<Record<string, number>> = { rtmp: 1935, rtmps: 443, http: 80, https: 443 }

const schemeOf = (uri: string): string => /^([a-z]+):\/\//i.exec(uri)?.[1]?.toLowerCase() ?? ''

/**
 * Parses the URL as http, whose host rules normalize every spelling of an address. For unknown schemes,
 * `0x7f.1` would pass as a name.
 */
const asHttp = (uri: string): URL | null => URL.parse(uri.replace(/^[a-z]+:/i, 'http:'))

const sentence = (schemes: readonly string[]): string => schemes.map((one) => `${one}://`).join(' or ')

/** Checks an address that a live node pulls from or pushes to. Throws 'invalid' with the field. */
export const checkStreamUri = (
  uri: string,
  field: string,
  { schemes, policy }: { readonly schemes: readonly string[]; readonly policy: OutboundPolicy },
): void => {
  const scheme = schemeOf(uri)
  const url = asHttp(uri)
  // The address becomes an argument of a program that connects to it, so no character may have another
  // meaning there.
  if (!schemes.includes(scheme) || url === null || !/^[\x21-\x7e]+$/.test(uri) || /["'<>\\^`{|}]/.test(uri))
    throw invalidField(field, 'stream_url_scheme', { schemes: sentence(schemes) })
  if (scheme.startsWith('http')) {
    const issue = policy.urlIssue(uri)
    if (issue !== null) throw invalidValue(field, issue)
    return
  }
  const port = url.port === '' ? portIn(uri, scheme) : Number(url.port)
  if (port === null) throw invalidField(field, 'port_missing')
  if (scheme.startsWith('rtmp') && url.pathname.length < 2) throw invalidField(field, 'path_missing')
  const host = hostOf(url)
  const issue =
    isIP(host) === 0 ? policy.urlIssue(`https://${url.hostname}:${port}`) : policy.addressIssue(host, port)
  if (issue !== null) throw invalidValue(field, issue)
}

/** Returns 80 for an explicit `:80`, which http omits, otherwise the default port of the scheme. */
const portIn = (uri: string, scheme: string): number | null =>
  /^[a-z]+:\/\/[^/?#]*:80(?:[/?#]|$)/i.test(uri) ? 80 : (defaultPorts[scheme] ?? null)

/**
 * Removes possible credentials: user and password, the query and, for RTMP, the last path segment, which is
 * the stream key. The last four characters of the key stay for recognition.
 */
export const maskStreamUri = (uri: string): string => {
  const [withoutQuery = '', query] = uri.split(/\?(.*)/s, 2)
  const bare = withoutQuery.replace(/^([a-z]+:\/\/)[^/?#]*@/i, '$1')
  const masked = schemeOf(uri).startsWith('rtmp')
    ? bare.replace(/\/([^/]*)$/, (_all, key: string) => `/…${key.length > 8 ? key.slice(-4) : ''}`)
    : bare
  return query === undefined ? masked : `${masked}?…`
}

/** A record that was read without its credentials may be sent back; the hidden values then stay. */
export const isSameStreamUri = (written: string, present: string | null): boolean =>
  present !== null && (written === present || written === maskStreamUri(present))
