import { isIP } from 'node:net'
import { messageOf } from '@zoetrope/vocabulary'
import { invalidSubject } from '../base/problem.ts'
import { buildConnector } from 'undici'
import { createAllowedAddresses } from './allowed-addresses.ts'
import { OutboundError } from './outbound-error.ts'
import type { OutboundPolicy } from './outbound-policy.ts'
import type { Resolve } from './resolve-name.ts'

const connectTimeoutMs = 5_000

/** Resolves the name and connects only to addresses that the policy allows. */
export const createGuardedConnector = (
  policy: OutboundPolicy,
  resolve: Resolve,
): buildConnector.connector => {
  const allowedAddresses = createAllowedAddresses(policy, resolve)
  const connect = buildConnector({ allowH2: false, timeout: connectTimeoutMs, autoSelectFamily: false })

  return (options, callback) => {
    const { hostname, protocol } = options
    const port = options.port === '' ? (protocol === 'https:' ? 443 : 80) : Number(options.port)
    const tls = protocol === 'https:' && isIP(hostname) === 0 ? { servername: hostname } : {}

    const dial = ([address, ...others]: readonly string[]): void => {
      if (address === undefined) return
      connect({ ...options, hostname: address, ...tls }, (error, socket) => {
        if (error !== null) {
          if (others.length > 0) dial(others)
          else callback(error, null)
          return
        }
        const peerIssue = policy.addressIssue(socket.remoteAddress ?? '', port)
        if (peerIssue === null) return callback(null, socket)
        socket.destroy()
        callback(new OutboundError('blocked', messageOf(invalidSubject(hostname, peerIssue))), null)
      })
    }

    allowedAddresses(hostname, port).then(dial, (error: Error) => callback(error, null))
  }
}
