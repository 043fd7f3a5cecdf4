import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Problem } from '../../../platform/base/problem.ts'

const readDigest = (header: unknown): Buffer | null => {
  const match = /^sha-256=:([A-Za-z0-9+/]{43}=):$/.exec(String(header))
  return match === null ? null : Buffer.from(match[1] ?? '', 'base64')
}

/** Time in which the sender of a refused body can read the response before the connection is closed. */
const lingerMs = 1_000

/** Reads the body of one segment, at most `maxBytes`, and checks it against its Content-Digest (RFC 9530). */
export const readSegment = async (request: FastifyRequest, maxBytes: number): Promise<Buffer> => {
  const { raw, headers } = request
  const abandon = (problem: Problem): Problem => {
    raw.resume()
    setTimeout(() => {
      if (!raw.complete) raw.destroy()
    }, lingerMs).unref()
    return problem
  }
  const digest = readDigest(headers['content-digest'])
  const sizeBytes = Number(headers['content-length'])
  if (digest === null || !Number.isSafeInteger(sizeBytes)) throw abandon(new Problem('worker_length_missing'))
  if (sizeBytes > maxBytes) throw abandon(new Problem('worker_segment_too_large', { maxBytes }))
  const parts: Buffer[] = []
  // Node ends the body after Content-Length bytes.
  for await (const part of raw) parts.push(part as Buffer)
  const bytes = Buffer.concat(parts)
  if (!timingSafeEqual(createHash('sha256').update(bytes).digest(), digest))
    throw new Problem('worker_digest_wrong')
  return bytes
}
