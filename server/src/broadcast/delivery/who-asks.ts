import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { nodeTokenHeader } from '../../playout/pass-on.ts'

/** Who sent a request; what it says of itself counts only where one of ours says it. */
export interface WhoAsks {
  /** Whether an api node passed it on. */
  readonly isPassedOn: (request: IncomingMessage) => boolean
  /** The viewer's; null where only a proxy's is known. */
  readonly addressOf: (request: IncomingMessage) => string | null
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

/** `token`: what nodes of the installation show. `trustedProxies`: networks of what stands between this node and its viewers. */
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

  const toldAddressOf = (request: IncomingMessage): string | undefined => {
    const forwarded = request.headers['x-forwarded-for']
    const hops = typeof forwarded === 'string' ? forwarded.split(',') : []
    if (isPassedOn(request)) return hops[0]?.trim()
    // From behind: each proxy adds who came to it.
    let address = request.socket.remoteAddress
    while (address !== undefined && isIn(proxies, address)) address = hops.pop()?.trim()
    return address
  }

  return {
    isPassedOn,
    addressOf: (request) => {
      const address = toldAddressOf(request)
      // On this machine, or that of the api node, it is a proxy that nobody told us of.
      return address === undefined || isIn(loopback, address) ? null : address
    },
  }
}
