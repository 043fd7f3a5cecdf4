import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'

/** Trusted proxies are few; the other addresses come from forwarding headers. */
const maxKept = 1_000
const mappedPrefixBits = 96

type Range = readonly [ipaddr.IPv4 | ipaddr.IPv6, number]

/** A range of IPv4 addresses in their IPv6 form becomes one of IPv4, as the addresses do. */
const rangeOf = (network: string): Range => {
  const [base, bits] = ipaddr.parseCIDR(network)
  const isMapped = base instanceof ipaddr.IPv6 && base.isIPv4MappedAddress() && bits >= mappedPrefixBits
  return isMapped ? [base.toIPv4Address(), bits - mappedPrefixBits] : [base, bits]
}

/** Whether an address is in one of the networks. Parsing it takes longer than the rest of a small request, so results are kept. */
export const createIsProxy = (networks: readonly string[]): ((address: string) => boolean) => {
  const ranges = networks.map(rangeOf)
  const isIn = (address: string): boolean => {
    if (!ipaddr.isValid(address)) return false
    const parsed = ipaddr.process(address)
    return ranges.some(([range, bits]) => parsed.kind() === range.kind() && parsed.match(range, bits))
  }
  const known = new LRUCache<string, boolean>({ max: maxKept })
  return (address) => {
    const kept = known.get(address)
    if (kept !== undefined) return kept
    const found = isIn(address)
    known.set(address, found)
    return found
  }
}
