import ipaddr from 'ipaddr.js'
import { invalidField } from '../../../platform/base/problem.ts'

type Cidr = ReturnType<typeof ipaddr.parseCIDR>

/** Networks that an API key may be used from. */
export interface Networks {
  readonly cidrs: readonly string[]
  readonly contain: (address: string) => boolean
}

const contains = (network: Cidr, address: Cidr[0]): boolean =>
  network[0].kind() === address.kind() && address.match(network)

export const toNetworks = (cidrs: readonly string[]): Networks => {
  const networks = cidrs.map((text) => ipaddr.parseCIDR(text))
  return {
    cidrs,
    contain: (text) => {
      if (!ipaddr.isValid(text)) return false
      // A socket for both families gives IPv4 addresses as ::ffff:203.0.113.7.
      const address = ipaddr.process(text)
      return networks.some((network) => contains(network, address))
    },
  }
}

const parseNetwork = (text: string): string | null => {
  const bits = /^[^/]+$/.test(text) ? (text.includes(':') ? '/128' : '/32') : ''
  const cidr = `${text}${bits}`
  if (!ipaddr.IPv4.isValidCIDRFourPartDecimal(cidr) && !ipaddr.IPv6.isValidCIDR(cidr)) return null
  const [address, length] = ipaddr.parseCIDR(cidr)
  if (address.kind() === 'ipv6' && (address as ipaddr.IPv6).isIPv4MappedAddress()) return null
  const network =
    address.kind() === 'ipv4'
      ? ipaddr.IPv4.networkAddressFromCIDR(cidr)
      : ipaddr.IPv6.networkAddressFromCIDR(cidr)
  return `${network.toString()}/${length}`
}

/** Normalizes the networks that a caller sends. Null = all, also for an empty list. Throws 'invalid'. */
export const parseNetworks = (texts: readonly string[] | null): string[] | null => {
  if (texts === null || texts.length === 0) return null
  const networks = texts.map((text) => {
    const network = parseNetwork(text.trim())
    if (network === null) throw invalidField('AllowedNetworks', 'not_network', { value: text })
    return network
  })
  return [...new Set(networks)]
}

export const areNetworksWithin = (inner: readonly string[] | null, outer: readonly string[]): boolean => {
  const around = outer.map((text) => ipaddr.parseCIDR(text))
  return (
    inner !== null &&
    inner.every((text) => {
      const [address, bits] = ipaddr.parseCIDR(text)
      return around.some((network) => network[1] <= bits && contains(network, address))
    })
  )
}
