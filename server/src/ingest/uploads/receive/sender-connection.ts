import type { FastifyRequest } from 'fastify'
import { Problem } from '../../../platform/base/problem.ts'
import type { IncomingBody } from './append-body.ts'

/**
 * A sender that is silent for this long is gone. Without a limit it would keep its connection and the
 * upload's lock.
 */
const silenceMs = 120_000

export const endWhenSilent = (request: FastifyRequest): void => {
  request.raw.setTimeout(silenceMs, () => request.raw.destroy())
}

export const bodyOf = ({ raw }: FastifyRequest): Omit<IncomingBody, 'checksum'> => ({
  stream: raw,
  cancel: () => void raw.destroy(),
  isOver: () => raw.destroyed || raw.complete,
})

export const brokenOff = (cause?: unknown): Problem => new Problem('connection_lost', {}, { cause })

/** Limits as for lingering in nginx: one for the whole rest, one for its next byte. */
const lingerMs = 30_000
const lingerSilenceMs = 5_000

/**
 * Drains the rest of a refused body for a while, so that the sender reads the response. "Connection: close"
 * would not work: Node would close right after the response, and a sender that still writes would see a reset
 * instead (RFC 9112 9.6).
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
