import { isIP } from 'node:net'
import { buildConnector } from 'undici'
import { OutboundError } from './outbound-error.ts'
import type { OutboundPolicy } from './outbound-policy.ts'
import type { Resolve } from './resolve-name.ts'

const connectTimeoutMs = 5_000
/** Of a name with many addresses, only the first few are worth the wait. */
const maxTriedAddresses = 4

/** Connections to one name that open together share one lookup. */
const shareLookups = (resolve: Resolve): Resolve => {
  const underWay = new Map<string, Promise<readonly string[]>>()
  return (hostname) => {
    const known = underWay.get(hostname)
    if (known !== undefined) return known
    const started = resolve(hostname).finally(() => underWay.delete(hostname))
    underWay.set(hostname, started)
    return started
  }
}

/**
 * Connects only to addresses that the policy allows. All addresses of the name are checked and the checked ones are dialled, by address:
 * a second lookup could answer something else (DNS rebinding).
 */
export const createGuardedConnector = (
  policy: OutboundPolicy,
  resolve: Resolve,
): buildConnector.connector => {
  const sharedResolve = shareLookups(resolve)
  const connect = buildConnector({ allowH2: false, timeout: connectTimeoutMs, autoSelectFamily: false })

  const allowedAddresses = async (hostname: string, port: number): Promise<readonly string[]> => {
    // A literal never reaches the resolver, so it has to be checked here.
    const addresses = isIP(hostname) !== 0 ? [hostname] : await sharedResolve(hostname)
    for (const address of addresses) {
      const issue = policy.addressIssue(address, port)
      if (issue !== null) throw new OutboundError('blocked', `${hostname} ${issue}.`)
    }
    if (addresses.length === 0) throw new OutboundError('failed', `The name ${hostname} has no address.`)
    return addresses.slice(0, maxTriedAddresses)
  }

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
        callback(new OutboundError('blocked', `${hostname} ${peerIssue}.`), null)
      })
    }

    allowedAddresses(hostname, port).then(dial, (error: Error) => callback(error, null))
  }
}
