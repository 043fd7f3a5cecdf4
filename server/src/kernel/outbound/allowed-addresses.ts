import { isIP } from 'node:net'
import { OutboundError } from './outbound-error.ts'
import type { OutboundPolicy } from './outbound-policy.ts'
import type { Resolve } from './resolve-name.ts'

/** Of a name with many addresses, only the first few are worth the wait. */
const maxTriedAddresses = 4

/** The addresses to dial for a name, in their order. Throws OutboundError. */
export type AllowedAddresses = (hostname: string, port: number) => Promise<readonly string[]>

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

/** All addresses of a name are checked; whoever dials one of those has no second lookup, which could answer something else (DNS rebinding). */
export const createAllowedAddresses = (policy: OutboundPolicy, resolve: Resolve): AllowedAddresses => {
  const sharedResolve = shareLookups(resolve)
  return async (hostname, port) => {
    // A literal never reaches the resolver, so it has to be checked here.
    const addresses = isIP(hostname) !== 0 ? [hostname] : await sharedResolve(hostname)
    for (const address of addresses) {
      const issue = policy.addressIssue(address, port)
      if (issue !== null) throw new OutboundError('blocked', `${hostname} ${issue}.`)
    }
    if (addresses.length === 0) throw new OutboundError('failed', `The name ${hostname} has no address.`)
    return addresses.slice(0, maxTriedAddresses)
  }
}
