import type { FastifyReply, FastifyRequest } from 'fastify'

/** A sender that says nothing for so long is gone; without an end it would keep its connection and the upload's lock. */
const silenceMs = 120_000

export const endWhenSilent = (request: FastifyRequest): void => {
  request.raw.setTimeout(silenceMs, () => request.raw.destroy())
}

/**
 * After a refusal in the middle of a body: the rest is let go by, so that the sender comes to read the answer, and the connection is not
 * used again.
 */
export const abandonBody = (request: FastifyRequest, reply: FastifyReply): void => {
  if (request.raw.complete) return
  reply.header('Connection', 'close')
  request.raw.unpipe()
  request.raw.resume()
}
