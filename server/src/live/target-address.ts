import type { OutboundPolicy } from '../kernel/outbound/outbound-policy.ts'
import { invalidField } from '../kernel/problem.ts'
import { checkStreamUri, isSameStreamUri, maskStreamUri } from './stream-uri.ts'

/** What a write says of where a target lies: the whole address, or its two parts. */
export interface WrittenTargetAddress {
  readonly URI?: string | undefined
  readonly ServerURI?: string | undefined
  readonly StreamKey?: string | undefined
}

const schemes = ['rtmp', 'rtmps']

const withoutKey = (uri: string): string => uri.replace(/\?.*$/s, '').replace(/\/[^/]*$/, '')

/** The address of the server, without the stream key and whatever else may be a credential. */
export const targetServerOf = (uri: string): string => withoutKey(maskStreamUri(uri))

/**
 * The address that a write asks for; null where it stays as it is. A new server needs the key again: otherwise whoever may change a target could
 * have the hidden key sent to a server of their own. Throws 'invalid' with the field.
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
      throw invalidField('URI', 'must not be sent together with ServerURI and StreamKey.')
    return checkWhole(uri, policy)
  }
  if (server === undefined && StreamKey === undefined) return null
  if (StreamKey === undefined)
    throw invalidField('StreamKey', 'is missing: a new ServerURI needs the stream key of that server.')
  const base = server ?? (presentUri === null ? undefined : withoutKey(presentUri))
  if (base === undefined) throw invalidField('ServerURI', 'is missing: a StreamKey needs it.')
  const joined = join(base, StreamKey)
  return joined === presentUri ? null : checkParts(base, joined, policy)
}

/** The address of a new target. Throws 'invalid' with the field. */
export const newTargetUri = (written: WrittenTargetAddress, policy: OutboundPolicy): string => {
  const uri = changedTargetUri(written, null, policy)
  if (uri === null) throw invalidField('URI', 'is missing: send URI, or ServerURI and StreamKey.')
  return uri
}

const isServerOf = (written: string, presentUri: string | null): boolean =>
  presentUri !== null &&
  [withoutKey(presentUri), targetServerOf(presentUri)].includes(withoutSlashes(written))

const withoutSlashes = (uri: string): string => uri.replace(/\/+$/, '')

/** Percent-encoded, whatever is in the key stays one name: keys of some platforms have a query. */
const join = (serverUri: string, streamKey: string): string => {
  if (/^\.{1,2}$/.test(streamKey)) throw invalidField('StreamKey', 'must not be a path.')
  return `${withoutSlashes(serverUri)}/${encodeURIComponent(streamKey).replaceAll("'", '%27')}`
}

const checkParts = (serverUri: string, joined: string, policy: OutboundPolicy): string => {
  if (/[?#]/.test(serverUri))
    throw invalidField('ServerURI', 'must have no query; what follows the stream key belongs to StreamKey.')
  checkStreamUri(joined, 'ServerURI', { schemes, policy })
  if (namesIn(joined) < 2)
    throw invalidField('ServerURI', 'must name the application, as in rtmp://live.example.com/app.')
  return joined
}

const checkWhole = (uri: string, policy: OutboundPolicy): string => {
  checkStreamUri(uri, 'URI', { schemes, policy })
  if (namesIn(uri) < 2 || /^[^?#]*\/([?#]|$)/.test(uri))
    throw invalidField(
      'URI',
      'must end with the stream key, as in rtmp://live.example.com/app/key; or send ServerURI and StreamKey.',
    )
  return uri
}

/** How many names the path has: the application has one at least, and the stream key is another. */
const namesIn = (uri: string): number =>
  (/^[a-z]+:\/\/[^/?#]*([^?#]*)/i.exec(uri)?.[1] ?? '').split('/').filter((name) => name !== '').length
