import type { FastifyReply, FastifyRequest } from 'fastify'
import { nothing } from '../access/find-playout.ts'

/** A player that has waited ten seconds is better off with another rung. */
const mostWaits = 4

const queryOf = ({ raw }: FastifyRequest): URLSearchParams =>
  new URLSearchParams((raw.url ?? '').split('?', 2)[1] ?? '')

const countOf = (params: URLSearchParams): number => Number(params.get('wait') ?? 0)

/** Aborted when the viewer closes the connection, or has closed it already. */
export const closeSignal = ({ raw }: FastifyReply): AbortSignal => {
  const closed = new AbortController()
  if (raw.destroyed) closed.abort()
  else raw.once('close', () => closed.abort())
  return closed.signal
}

/** Whether the player is sent to the same address again if the segment is not ready in time. */
export const isReturning = (request: FastifyRequest): boolean => countOf(queryOf(request)) < mostWaits

/**
 * Sends the player to the same address again, where it waits on. To a player this is one slow request: it gives up on a rung
 * after errors. Throws 'not_found' in the end.
 */
export const sendToWait = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  if (!isReturning(request)) throw nothing()
  const params = queryOf(request)
  params.set('wait', String(countOf(params) + 1))
  const [path = ''] = (request.raw.url ?? '').split('?', 1)
  const name = path.slice(path.lastIndexOf('/') + 1)
  return reply.code(307).header('Location', `${name}?${params}`).header('Cache-Control', 'no-store').send()
}
