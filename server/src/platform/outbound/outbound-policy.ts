import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { issue, type Issue } from '../base/problem.ts'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Cidr = [Address, number]

export interface OutboundOptions {
  /** Networks that are allowed although they are not public, on any port. */
  readonly allowCidrs: readonly string[]
  readonly isHttpAllowed: boolean
}

/**
 * Decides where requests may go. Each function returns the fault, worded to follow the name of the checked
 * value, or null.
 */
export interface OutboundPolicy {
  readonly urlIssue: (target: string | URL) => Issue | null
  /** Final check of the address that is about to be dialled. */
  readonly addressIssue: (address: string, port: number) => Issue | null
}

/**
 * Ports from 1024 without a web server. They are the bad ports of the Fetch standard (2.9), and the data
 * stores and control sockets that would parse a request as commands. 10080 is a bad port, too, but Zoetrope and many others
 * receive SRT there.
 */
const refusedPorts = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697,
  2375, 2376, 3306, 5432, 6379, 11_211, 27_017,
])

/** Self-hosted receivers often use other ports; ports below 1024 serve mail, DNS and remote shells. */
const isWebPort = (port: number): boolean =>
  port === 80 || port === 443 || (port >= 1024 && !refusedPorts.has(port))

const nat64Prefix = ipaddr.parseCIDR('64:ff9b::/96') as [ipaddr.IPv6, number]
const globalIpv6 = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number]

/**
 * Returns the IPv4 address inside a mapped (RFC 4291 2.5.5.2) or translated (RFC 6052 2.1) address; others
 * unchanged.
 */
const unwrapEmbedded = (address: Address): Address => {
  if (address.kind() === 'ipv4') return address
  const ipv6 = address as ipaddr.IPv6
  if (ipv6.isIPv4MappedAddress()) return ipv6.toIPv4Address()
  if (ipv6.match(nat64Prefix)) return new ipaddr.IPv4(ipv6.toByteArray().slice(12))
  return ipv6
}

/** Looks public, but serves the settings and certificates of the machine on every Azure VM. */
const azureWireServer = '168.63.129.16'

/** Global unicast without a special use; excludes other tunnels of IPv4 (6to4, Teredo). */
const isPublic = (address: Address): boolean =>
  address.range() === 'unicast' &&
  address.toString() !== azureWireServer &&
  (address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(globalIpv6))

const isInside = (address: Address, cidrs: readonly Cidr[]): boolean =>
  cidrs.some((cidr) => cidr[0].kind() === address.kind() && address.match(cidr))

const parseCidrs = (texts: readonly string[]): Cidr[] =>
  texts.map((text) => {
    if (!ipaddr.isValidCIDR(text))
      throw new TypeError(`"${text}" is not a network in CIDR notation such as 10.0.0.0/8`)
    return ipaddr.parseCIDR(text)
  })

/** Throws TypeError for a malformed CIDR. */
export const createOutboundPolicy = ({ allowCidrs, isHttpAllowed }: OutboundOptions): OutboundPolicy => {
  const cidrs = parseCidrs(allowCidrs)

  const issueOf = (text: string, port: number, notPublic: Issue): Issue | null => {
    if (!ipaddr.isValid(text)) return issue('address_invalid')
    const address = unwrapEmbedded(ipaddr.parse(text))
    if (isInside(address, cidrs)) return null
    if (!isPublic(address)) return notPublic
    return isWebPort(port) ? null : portIssue(port)
  }

  // Does not name the address: users could learn the addresses of internal names.
  const addressIssue = (text: string, port: number): Issue | null =>
    issueOf(text, port, issue('address_not_public'))

  const urlIssue = (target: string | URL): Issue | null => {
    const url = typeof target === 'string' ? URL.parse(target) : target
    if (url === null) return issue('not_absolute_url')
    if (url.protocol !== 'https:' && url.protocol !== 'http:')
      return issue(isHttpAllowed ? 'not_http_or_https' : 'not_https')
    if (url.protocol === 'http:' && !isHttpAllowed) return issue('http_not_allowed')
    if (url.username !== '' || url.password !== '') return issue('contains_credentials')
    const host = hostOf(url)
    if (isIP(host) !== 0) return issueOf(host, portOf(url), issue('host_not_public', { host }))
    // A name may resolve to an allowed network, where every port is allowed.
    return isWebPort(portOf(url)) || cidrs.length > 0 ? null : portIssue(portOf(url))
  }

  return { urlIssue, addressIssue }
}

const portIssue = (port: number): Issue => issue('port_not_allowed', { port })

/** Returns the host without the brackets of an IPv6 literal. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1')

export const portOf = (url: URL): number =>
  url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
