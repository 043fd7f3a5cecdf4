import type { FastifyReply, FastifyRequest } from 'fastify'
import { nothing } from '../access/find-playout.ts'

/** A player that has waited ten seconds is better off with another rung. */
const mostWaits = 4

/**
 * Sends the player to the same address again, where it waits on. To a player this is one slow request: it gives up on a rung
 * after errors. Throws 'not_found' in the end.
 */
export const sendToWait = ({ raw }: FastifyRequest, reply: FastifyReply): FastifyReply => {
  const [path = '', query = ''] = (raw.url ?? '').split('?', 2)
  const params = new URLSearchParams(query)
  const count = Number(params.get('wait') ?? 0)
  if (!(count < mostWaits)) throw nothing()
  params.set('wait', String(count + 1))
  const name = path.slice(path.lastIndexOf('/') + 1)
  return reply.code(307).header('Location', `${name}?${params}`).header('Cache-Control', 'no-store').send()
}
