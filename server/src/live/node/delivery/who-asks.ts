import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { nodeTokenHeader } from '../../../playback/live/pass-on.ts'

/** Origin of a request. Forwarding headers count only when our own node or a trusted proxy sends them. */
export interface WhoAsks {
  /** Whether an api node forwarded the request. */
  readonly isPassedOn: (request: IncomingMessage) => boolean
  /** Address of the viewer; null when only the address of a proxy is known. */
  readonly addressOf: (request: IncomingMessage) => string | null
  /** Address that tells viewers apart, even when it is that of a proxy. */
  readonly sourceOf: (request: IncomingMessage) => string | undefined
}

const listOf = (cidrs: readonly string[]): BlockList => {
  const list = new BlockList()
  for (const cidr of cidrs) {
    const [address = '', bits] = cidr.split('/')
    list.addSubnet(address, Number(bits), familyOf(address))
  }
  return list
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

const loopback = listOf(['127.0.0.0/8', '::1/128'])

const isIn = (list: BlockList, address: string): boolean =>
  isIP(address) !== 0 && list.check(address, familyOf(address))

/**
 * `token`: shared secret of the nodes. `trustedProxies`: CIDR networks of the proxies between this node and
 * its viewers.
 */
export const createWhoAsks = (options: {
  readonly token: string
  readonly trustedProxies: readonly string[]
}): WhoAsks => {
  const token = Buffer.from(options.token)
  const proxies = listOf(options.trustedProxies)

  const isPassedOn = ({ headers }: IncomingMessage): boolean => {
    const shown = headers[nodeTokenHeader]
    if (typeof shown !== 'string') return false
    const bytes = Buffer.from(shown)
    return bytes.length === token.length && timingSafeEqual(bytes, token)
  }

  const forwardedAddressOf = (request: IncomingMessage): string | undefined => {
    const forwarded = request.headers['x-forwarded-for']
    const hops = typeof forwarded === 'string' ? forwarded.split(',') : []
    if (isPassedOn(request)) return hops[0]?.trim()
    // Reads from the end, because each proxy appends the address of its client.
    let address = request.socket.remoteAddress
    while (address !== undefined && isIn(proxies, address)) address = hops.pop()?.trim()
    return address
  }

  return {
    isPassedOn,
    sourceOf: (request) => forwardedAddressOf(request) ?? request.socket.remoteAddress,
    addressOf: (request) => {
      const address = forwardedAddressOf(request)
      // A loopback address is that of an unconfigured proxy on this machine or on the api node.
      return address === undefined || isIn(loopback, address) ? null : address
    },
  }
}
