import { isIP } from 'node:net'
import { hostOf, type OutboundPolicy } from '../kernel/outbound/outbound-policy.ts'
import { invalidField } from '../kernel/problem.ts'

/** RTMP's own; RTMPS has that of https. An SRT address must name one. */
const defaultPorts: Readonly<Record<string, number>> = { rtmp: 1935, rtmps: 443, http: 80, https: 443 }

const schemeOf = (uri: string): string => /^([a-z]+):\/\//i.exec(uri)?.[1]?.toLowerCase() ?? ''

/** As http, whose rules for hosts know every spelling of an address; those of unknown schemes let `0x7f.1` pass for a name. */
const asHttp = (uri: string): URL | null => URL.parse(uri.replace(/^[a-z]+:/i, 'http:'))

const sentence = (schemes: readonly string[]): string => schemes.map((one) => `${one}://`).join(' or ')

/** An address that a live node is to fetch from or push to. Throws 'invalid' with the field. */
export const checkStreamUri = (
  uri: string,
  field: string,
  { schemes, policy }: { readonly schemes: readonly string[]; readonly policy: OutboundPolicy },
): void => {
  const scheme = schemeOf(uri)
  const url = asHttp(uri)
  // Programs that dial get it as an argument: nothing in it may be read as anything else.
  if (!schemes.includes(scheme) || url === null || !/^[\x21-\x7e]+$/.test(uri) || /["'<>\\^`{|}]/.test(uri))
    throw invalidField(field, `must be an absolute address that begins with ${sentence(schemes)}.`)
  if (scheme.startsWith('http')) {
    const issue = policy.urlIssue(uri)
    if (issue !== null) throw invalidField(field, `${issue}.`)
    return
  }
  const port = url.port === '' ? portIn(uri, scheme) : Number(url.port)
  if (port === null) throw invalidField(field, 'must name a port, as in srt://example.com:9000.')
  if (scheme.startsWith('rtmp') && url.pathname.length < 2)
    throw invalidField(field, 'must have a path, as in rtmp://example.com/live/key.')
  const host = hostOf(url)
  const issue =
    isIP(host) === 0 ? policy.urlIssue(`https://${url.hostname}:${port}`) : policy.addressIssue(host, port)
  if (issue !== null) throw invalidField(field, `${issue}.`)
}

/** Written as `:80`, which http leaves out, or not at all. */
const portIn = (uri: string, scheme: string): number | null =>
  /^[a-z]+:\/\/[^/?#]*:80(?:[/?#]|$)/i.test(uri) ? 80 : (defaultPorts[scheme] ?? null)

/**
 * Without what may be a credential: user and password, the query, and of RTMP the last part of the path, which is the stream key; its last four
 * characters stay, to recognise it by.
 */
export const maskStreamUri = (uri: string): string => {
  const [withoutQuery = '', query] = uri.split(/\?(.*)/s, 2)
  const bare = withoutQuery.replace(/^([a-z]+:\/\/)[^/?#]*@/i, '$1')
  const masked = schemeOf(uri).startsWith('rtmp')
    ? bare.replace(/\/([^/]*)$/, (_all, key: string) => `/…${key.length > 8 ? key.slice(-4) : ''}`)
    : bare
  return query === undefined ? masked : `${masked}?…`
}

/** A record that was read without its credentials may be sent back: what was hidden in it stays. */
export const isSameStreamUri = (written: string, present: string | null): boolean =>
  present !== null && (written === present || written === maskStreamUri(present))
