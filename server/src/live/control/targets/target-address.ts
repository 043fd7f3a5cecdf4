import type { OutboundPolicy } from '../../../platform/outbound/outbound-policy.ts'
import { invalidField } from '../../../platform/base/problem.ts'
import { checkStreamUri, isSameStreamUri, maskStreamUri } from '../settings/stream-uri.ts'

/** Address of a target as written by a client: the whole address, or its two parts. */
export interface WrittenTargetAddress {
  readonly URI?: string | undefined
  readonly ServerURI?: string | undefined
  readonly StreamKey?: string | undefined
}

const schemes = ['rtmp', 'rtmps']

const withoutKey = (uri: string): string => uri.replace(/\?.*$/s, '').replace(/\/[^/]*$/, '')

/** Returns the address of the server, without the stream key and other possible credentials. */
export const targetServerOf = (uri: string): string => withoutKey(maskStreamUri(uri))

/**
 * Returns the address that a write sets, or null when it stays unchanged. A new server needs the key again:
 * otherwise any user who may change a target could send the hidden key to another server. Throws 'invalid'
 * with the field.
 */
export const changedTargetUri = (
  { URI, ServerURI, StreamKey }: WrittenTargetAddress,
  presentUri: string | null,
  policy: OutboundPolicy,
): string | null => {
  const uri = URI !== undefined && !isSameStreamUri(URI, presentUri) ? URI : undefined
  const server = ServerURI !== undefined && !isServerOf(ServerURI, presentUri) ? ServerURI : undefined
  if (uri !== undefined) {
    if (server !== undefined || StreamKey !== undefined)
      throw invalidField('URI', 'target_url_not_combinable')
    return checkWhole(uri, policy)
  }
  if (server === undefined && StreamKey === undefined) return null
  if (StreamKey === undefined) throw invalidField('StreamKey', 'stream_key_missing')
  const base = server ?? (presentUri === null ? undefined : withoutKey(presentUri))
  if (base === undefined) throw invalidField('ServerURI', 'server_url_missing')
  const joined = join(base, StreamKey)
  return joined === presentUri ? null : checkParts(base, joined, policy)
}

/** Returns the address of a new target. Throws 'invalid' with the field. */
export const newTargetUri = (written: WrittenTargetAddress, policy: OutboundPolicy): string => {
  const uri = changedTargetUri(written, null, policy)
  if (uri === null) throw invalidField('URI', 'target_url_missing')
  return uri
}

const isServerOf = (written: string, presentUri: string | null): boolean =>
  presentUri !== null &&
  [withoutKey(presentUri), targetServerOf(presentUri)].includes(withoutSlashes(written))

const withoutSlashes = (uri: string): string => uri.replace(/\/+$/, '')

/** Percent-encodes the key, so that it stays one path segment: keys of some platforms contain a query. */
const join = (serverUri: string, streamKey: string): string => {
  if (/^\.{1,2}$/.test(streamKey)) throw invalidField('StreamKey', 'stream_key_is_path')
  return `${withoutSlashes(serverUri)}/${encodeURIComponent(streamKey).replaceAll("'", '%27')}`
}

const checkParts = (serverUri: string, joined: string, policy: OutboundPolicy): string => {
  if (/[?#]/.test(serverUri)) throw invalidField('ServerURI', 'server_url_has_query')
  checkStreamUri(joined, 'ServerURI', { schemes, policy })
  if (namesIn(joined) < 2) throw invalidField('ServerURI', 'application_missing')
  return joined
}

const checkWhole = (uri: string, policy: OutboundPolicy): string => {
  checkStreamUri(uri, 'URI', { schemes, policy })
  if (namesIn(uri) < 2 || /^[^?#]*\/([?#]|$)/.test(uri)) throw invalidField('URI', 'stream_key_not_in_url')
  return uri
}

/** Counts the path segments: at least one for the application, and one for the stream key. */
const namesIn = (uri: string): number =>
  (/^[a-z]+:\/\/[^/?#]*([^?#]*)/i.exec(uri)?.[1] ?? '').split('/').filter((name) => name !== '').length
