import { createHash } from 'node:crypto'
import { PassThrough } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { createSegmentReader } from './read-segment.ts'

const requestOf = (bytes: Buffer) => {
  const raw = new PassThrough()
  const digest = createHash('sha256').update(bytes).digest('base64')
  const headers = { 'content-length': String(bytes.length), 'content-digest': `sha-256=:${digest}:` }
  return { raw, request: { raw, headers } as unknown as FastifyRequest }
}

test('segments share the memory until they are stored', async () => {
  const use = createSegmentReader(1_000)
  const bytes = Buffer.alloc(600, 1)
  const [first, second, third] = [requestOf(bytes), requestOf(bytes), requestOf(bytes)]
  const stored = Promise.withResolvers<void>()
  const storing = use(first.request, 5_000, () => stored.promise)
  first.raw.end(bytes)
  await expect(use(second.request, 5_000, async () => {})).rejects.toMatchObject({
    reason: 'worker_requests_limited',
  })
  stored.resolve()
  await storing
  const seen: Buffer[] = []
  third.raw.end(bytes)
  await use(third.request, 5_000, async (body) => void seen.push(body))
  expect(seen).toEqual([bytes])
})

test('refuses a segment larger than the memory', async () => {
  const { request } = requestOf(Buffer.alloc(1_001))
  await expect(createSegmentReader(1_000)(request, 5_000, async () => {})).rejects.toMatchObject({
    reason: 'worker_segment_too_large',
  })
})
