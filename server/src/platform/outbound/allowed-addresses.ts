import { isIP } from 'node:net'
import { messageOf } from '@zoetrope/vocabulary'
import { newMessage } from '../base/message.ts'
import { invalidSubject } from '../base/problem.ts'
import { OutboundError } from './outbound-error.ts'
import type { OutboundPolicy } from './outbound-policy.ts'
import type { Resolve } from './resolve-name.ts'

/** Trying more than the first few addresses of a name is not worth the wait. */
const maxTriedAddresses = 4

/** Returns the addresses to dial for a name, in order. Throws OutboundError. */
export type AllowedAddresses = (hostname: string, port: number) => Promise<readonly string[]>

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
 * Checks all addresses of a name. The caller dials one of them without a second lookup, which could return
 * another address (DNS rebinding).
 */
export const createAllowedAddresses = (policy: OutboundPolicy, resolve: Resolve): AllowedAddresses => {
  const sharedResolve = shareLookups(resolve)
  return async (hostname, port) => {
    // A literal address never reaches the resolver, so it is checked here.
    const addresses = isIP(hostname) !== 0 ? [hostname] : await sharedResolve(hostname)
    for (const address of addresses) {
      const issue = policy.addressIssue(address, port)
      if (issue !== null) throw new OutboundError('blocked', messageOf(invalidSubject(hostname, issue)))
    }
    if (addresses.length === 0)
      throw new OutboundError('failed', newMessage('host_without_address', { host: hostname }))
    return addresses.slice(0, maxTriedAddresses)
  }
}
