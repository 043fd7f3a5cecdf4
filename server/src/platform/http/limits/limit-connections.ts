import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { directHook } from '../requests/direct-hook.ts'
import { Problem } from '../../base/problem.ts'
import { createAddressCap } from './address-cap.ts'
import { createIsProxy } from './is-proxy.ts'

/**
 * Limits the connections of one address, so that one client cannot use up those of the process: with requests
 * that never end, or with idle connections. A trusted proxy has the connections of many clients, so behind it
 * the requests in progress of each forwarded address count instead.
 */
export const limitConnections = (
  app: FastifyInstance,
  { perAddress, trustedProxies }: { readonly perAddress: number; readonly trustedProxies: readonly string[] },
): void => {
  if (perAddress === 0) return
  const isProxy = createIsProxy(trustedProxies)
  const connections = createAddressCap(perAddress)
  app.server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? ''
    if (isProxy(address)) return
    const giveBack = connections.take(address)
    if (giveBack === null) socket.destroy()
    else socket.once('close', giveBack)
  })
  if (trustedProxies.length === 0) return
  const requests = createAddressCap(perAddress)
  app.addHook(
    'onRequest',
    directHook((request, reply) => {
      if (!isProxy(request.socket.remoteAddress ?? '')) return
      const giveBack = requests.take(request.ip)
      if (giveBack === null)
        throw new Problem('too_many_connections', { limit: perAddress }, { headers: { 'Retry-After': '5' } })
      reply.raw.once('close', giveBack)
    }),
  )
}
