import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Problem } from '../../../platform/base/problem.ts'

const readDigest = (header: unknown): Buffer | null => {
  const match = /^sha-256=:([A-Za-z0-9+/]{43}=):$/.exec(String(header))
  return match === null ? null : Buffer.from(match[1] ?? '', 'base64')
}

/** Time in which the sender of a refused body can read the response before the connection is closed. */
const lingerMs = 1_000
const leastSeconds = 60
const leastBytesPerSecond = 128 * 1024
/** The usual segment has a few MB. */
const mostHeldBytes = 256 * 1024 * 1024

type UseSegment = (
  request: FastifyRequest,
  maxBytes: number,
  use: (bytes: Buffer) => Promise<void>,
) => Promise<void>

/**
 * Returns a function that reads the body of one segment, at most `maxBytes`, and checks it against its
 * Content-Digest (RFC 9530). All segments that are in use share a limited memory.
 */
export const createSegmentReader = (heldLimitBytes = mostHeldBytes): UseSegment => {
  let heldBytes = 0
  return async (request, maxBytes, use) => {
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
    const mostBytes = Math.min(maxBytes, heldLimitBytes)
    if (digest === null || !Number.isSafeInteger(sizeBytes))
      throw abandon(new Problem('worker_length_missing'))
    if (sizeBytes > mostBytes) throw abandon(new Problem('worker_segment_too_large', { maxBytes: mostBytes }))
    if (heldBytes + sizeBytes > heldLimitBytes)
      throw abandon(new Problem('worker_requests_limited', {}, { headers: { 'Retry-After': '1' } }))
    heldBytes += sizeBytes
    // A machine that lost its power sends no end of the connection.
    const seconds = leastSeconds + Math.ceil(sizeBytes / leastBytesPerSecond)
    const deadline = setTimeout(
      () => raw.destroy(new Problem('body_timed_out', { seconds })),
      seconds * 1_000,
    )
    try {
      const parts: Buffer[] = []
      // Node ends the body after Content-Length bytes.
      for await (const part of raw) parts.push(part as Buffer)
      clearTimeout(deadline)
      const bytes = Buffer.concat(parts)
      if (!timingSafeEqual(createHash('sha256').update(bytes).digest(), digest))
        throw new Problem('worker_digest_wrong')
      await use(bytes)
    } finally {
      clearTimeout(deadline)
      heldBytes -= sizeBytes
    }
  }
}
