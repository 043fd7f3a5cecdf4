import { hostOf, portOf } from './outbound-policy.ts'
import { OutboundError } from './outbound-error.ts'

const sentences: Readonly<Record<string, (host: string, port: number) => string>> = {
  ENOTFOUND: (host) => `The name ${host} does not resolve to an address.`,
  EAI_AGAIN: (host) => `The name ${host} could not be resolved just now.`,
  ECONNREFUSED: (host, port) => `${host} refused the connection on port ${port}.`,
  ECONNRESET: (host) => `${host} broke the connection off.`,
  EPIPE: (host) => `${host} broke the connection off.`,
  EHOSTUNREACH: (host) => `${host} cannot be reached from here.`,
  ENETUNREACH: (host) => `${host} cannot be reached from here.`,
  ETIMEDOUT: (host, port) => `${host} did not take the connection on port ${port} in time.`,
  UND_ERR_CONNECT_TIMEOUT: (host, port) => `${host} did not take the connection on port ${port} in time.`,
  UND_ERR_HEADERS_TIMEOUT: (host) => `${host} took the request but did not answer in time.`,
  UND_ERR_BODY_TIMEOUT: (host) => `${host} stopped sending in the middle of its answer.`,
  UND_ERR_SOCKET: (host) => `${host} closed the connection before its answer was complete.`,
  UND_ERR_HEADERS_OVERFLOW: (host) => `${host} answered with headers of more than 16 KiB.`,
  DEPTH_ZERO_SELF_SIGNED_CERT: (host) => `The certificate of ${host} is self-signed.`,
  SELF_SIGNED_CERT_IN_CHAIN: (host) =>
    `The certificate of ${host} is signed by an authority that is not trusted here.`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: (host) =>
    `The certificate of ${host} comes without its intermediate certificates, or from an authority that is not trusted here.`,
  CERT_HAS_EXPIRED: (host) => `The certificate of ${host} has expired.`,
  ERR_TLS_CERT_ALTNAME_INVALID: (host) => `The certificate of ${host} was issued for another name.`,
}

/** Explains a socket, TLS or HTTP error to the owner of the target. */
export const describeFailure = (error: unknown, url: URL): OutboundError => {
  const { code, message, name, syscall } = error as {
    code?: string
    message?: string
    name?: string
    syscall?: string
  }
  const host = hostOf(url)
  const sentence = code === undefined ? undefined : sentences[code]
  if (sentence !== undefined)
    return new OutboundError('failed', sentence(host, portOf(url)), { cause: error })
  if (name === 'HTTPParserError')
    return new OutboundError('failed', `${host} did not answer in HTTP/1.1.`, { cause: error })
  // System errors contain the dialled address in their message, so only the code is shown.
  const reason = syscall === undefined ? message : code
  return new OutboundError('failed', `The request to ${host} failed: ${reason ?? 'unknown error'}.`, {
    cause: error,
  })
}
