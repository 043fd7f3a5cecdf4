import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Cidr = [Address, number]

export interface OutboundOptions {
  /** Networks that may be reached though they are not public, on any port. */
  readonly allowCidrs: readonly string[]
  readonly isHttpAllowed: boolean
}

/** Where requests may go. Each function answers what is wrong, to be read after the name of what was checked, or null. */
export interface OutboundPolicy {
  /** What can be said without asking the DNS: scheme, user info, port, literal addresses. */
  readonly urlIssue: (target: string | URL) => string | null
  /** The last word, on the address that is about to be dialled. */
  readonly addressIssue: (address: string, port: number) => string | null
}

/**
 * Ports from 1024 that no web server listens on: the bad ports of the Fetch standard (2.9) and the data stores and control sockets that
 * would take a request for commands.
 */
const refusedPorts = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697,
  10_080, 2375, 2376, 3306, 5432, 6379, 11_211, 27_017,
])

/** Receivers on own ports are common where people host themselves; below 1024 lie mail, DNS and remote shells. */
const isWebPort = (port: number): boolean =>
  port === 80 || port === 443 || (port >= 1024 && !refusedPorts.has(port))

const nat64Prefix = ipaddr.parseCIDR('64:ff9b::/96') as [ipaddr.IPv6, number]
const globalIpv6 = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number]

/** The IPv4 address inside a mapped (RFC 4291 2.5.5.2) or translated (RFC 6052 2.1) one; others as they are. */
const unwrapEmbedded = (address: Address): Address => {
  if (address.kind() === 'ipv4') return address
  const ipv6 = address as ipaddr.IPv6
  if (ipv6.isIPv4MappedAddress()) return ipv6.toIPv4Address()
  if (ipv6.match(nat64Prefix)) return new ipaddr.IPv4(ipv6.toByteArray().slice(12))
  return ipv6
}

/** Looks public, but on every machine of Azure it is the service that hands out its settings and certificates. */
const azureWireServer = '168.63.129.16'

/** Global unicast, and not set aside for another use; everything that tunnels IPv4 in another way (6to4, Teredo) is out. */
const isPublic = (address: Address): boolean =>
  address.range() === 'unicast' &&
  address.toString() !== azureWireServer &&
  (address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(globalIpv6))

const isInside = (address: Address, cidrs: readonly Cidr[]): boolean =>
  cidrs.some((cidr) => cidr[0].kind() === address.kind() && address.match(cidr))

const parseCidrs = (texts: readonly string[]): Cidr[] =>
  texts.map((text) => {
    if (!ipaddr.isValidCIDR(text))
      throw new TypeError(`"${text}" is no network in CIDR notation such as 10.0.0.0/8`)
    return ipaddr.parseCIDR(text)
  })

/** Throws TypeError when a CIDR is malformed. */
export const createOutboundPolicy = ({ allowCidrs, isHttpAllowed }: OutboundOptions): OutboundPolicy => {
  const cidrs = parseCidrs(allowCidrs)

  const issueOf = (text: string, port: number, notPublic: string): string | null => {
    if (!ipaddr.isValid(text)) return 'has an address that is none'
    const address = unwrapEmbedded(ipaddr.parse(text))
    if (isInside(address, cidrs)) return null
    if (!isPublic(address)) return `${notPublic}; an operator can allow its network with OUTBOUND_ALLOW_CIDRS`
    return isWebPort(port) ? null : portIssue(port)
  }

  // Does not say which: strangers would learn the addresses of names that only our network knows.
  const addressIssue = (text: string, port: number): string | null =>
    issueOf(text, port, 'has an address that is not on the public internet')

  const urlIssue = (target: string | URL): string | null => {
    const url = typeof target === 'string' ? URL.parse(target) : target
    if (url === null) return 'must be an absolute URL such as https://example.com/path'
    if (url.protocol !== 'https:' && url.protocol !== 'http:')
      return isHttpAllowed ? 'must begin with https:// or http://' : 'must begin with https://'
    if (url.protocol === 'http:' && !isHttpAllowed)
      return 'must begin with https://; an operator can allow http:// with OUTBOUND_ALLOW_HTTP'
    if (url.username !== '' || url.password !== '') return 'must not hold a user name or password'
    const host = hostOf(url)
    if (isIP(host) !== 0)
      return issueOf(host, portOf(url), `has the address ${host}, which is not on the public internet`)
    // A name may turn out to lie in an allowed network, where any port will do.
    return isWebPort(portOf(url)) || cidrs.length > 0 ? null : portIssue(portOf(url))
  }

  return { urlIssue, addressIssue }
}

const portIssue = (port: number): string =>
  `uses port ${port}; use 80, 443 or a port from 1024 that no other protocol is known for`

/** Without the brackets of an IPv6 literal. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1')

export const portOf = (url: URL): number =>
  url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
