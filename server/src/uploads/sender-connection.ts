import type { FastifyRequest } from 'fastify'
import { Problem } from '../kernel/problem.ts'
import type { IncomingBody } from './append-body.ts'

/** A sender that says nothing for so long is gone; without an end it would keep its connection and the upload's lock. */
const silenceMs = 120_000

export const endWhenSilent = (request: FastifyRequest): void => {
  request.raw.setTimeout(silenceMs, () => request.raw.destroy())
}

export const bodyOf = ({ raw }: FastifyRequest): Omit<IncomingBody, 'checksum'> => ({
  stream: raw,
  cancel: () => void raw.destroy(),
  isOver: () => raw.destroyed || raw.complete,
})

export const brokenOff = (cause?: unknown): Problem =>
  new Problem('timeout', 'The connection broke off before the end of the body.', { cause })

/** As nginx lingers: so long for all of the rest, and so long for the next byte of it. */
const lingerMs = 30_000
const lingerSilenceMs = 5_000

/**
 * After a refusal in the middle of a body: the rest is let go by for a while, so that the sender comes to read the answer. "Connection: close"
 * would not do: node then closes as soon as it has answered, and a sender that still writes hears of a reset and not of the refusal (RFC 9112 9.6).
 */
export const abandonBody = ({ raw }: FastifyRequest): void => {
  if (raw.complete) return
  const end = (): void => void raw.destroy()
  const late = setTimeout(end, lingerMs)
  const silent = setTimeout(end, lingerSilenceMs)
  raw.once('close', () => {
    clearTimeout(late)
    clearTimeout(silent)
  })
  raw.unpipe()
  raw.on('data', () => silent.refresh()).resume()
}
