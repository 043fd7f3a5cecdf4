import type { Message } from '@zoetrope/vocabulary'
import { newMessage } from '../base/message.ts'
import { hostOf, portOf } from './outbound-policy.ts'
import { OutboundError } from './outbound-error.ts'

type Explain = (host: string, port: number) => Message

const brokenOff: Explain = (host) => newMessage('connection_broken_off', { host })
const unreachable: Explain = (host) => newMessage('host_unreachable', { host })
const notTaken: Explain = (host, port) => newMessage('connection_not_taken', { host, port })

const explanations: Readonly<Record<string, Explain>> = {
  ENOTFOUND: (host) => newMessage('host_not_found', { host }),
  EAI_AGAIN: (host) => newMessage('host_lookup_failed', { host }),
  ECONNREFUSED: (host, port) => newMessage('connection_refused', { host, port }),
  ECONNRESET: brokenOff,
  EPIPE: brokenOff,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  ETIMEDOUT: notTaken,
  UND_ERR_CONNECT_TIMEOUT: notTaken,
  UND_ERR_HEADERS_TIMEOUT: (host) => newMessage('answer_not_begun', { host }),
  UND_ERR_BODY_TIMEOUT: (host) => newMessage('answer_stopped', { host }),
  UND_ERR_SOCKET: (host) => newMessage('answer_incomplete', { host }),
  UND_ERR_HEADERS_OVERFLOW: (host) => newMessage('answer_headers_too_large', { host }),
  DEPTH_ZERO_SELF_SIGNED_CERT: (host) => newMessage('certificate_self_signed', { host }),
  SELF_SIGNED_CERT_IN_CHAIN: (host) => newMessage('certificate_not_trusted', { host }),
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: (host) => newMessage('certificate_chain_incomplete', { host }),
  CERT_HAS_EXPIRED: (host) => newMessage('certificate_expired', { host }),
  ERR_TLS_CERT_ALTNAME_INVALID: (host) => newMessage('certificate_of_other_name', { host }),
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
  const explain = code === undefined ? undefined : explanations[code]
  if (explain !== undefined) return new OutboundError('failed', explain(host, portOf(url)), { cause: error })
  // OpenSSL has hundreds of codes, most of which say that the port does not speak TLS.
  if (code === 'EPROTO' || code?.startsWith('ERR_SSL_') === true)
    return new OutboundError('failed', newMessage('tls_handshake_failed', { host, code }), { cause: error })
  if (name === 'HTTPParserError')
    return new OutboundError('failed', newMessage('answer_not_http', { host }), { cause: error })
  // System errors contain the dialled address in their message, so only the code is shown.
  const detail = (syscall === undefined ? message : code) ?? 'unknown error'
  return new OutboundError('failed', newMessage('request_failed', { host, detail }), { cause: error })
}
