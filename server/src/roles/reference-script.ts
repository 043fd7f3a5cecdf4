import { parentPort } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import scalar from '@scalar/fastify-api-reference'
import Fastify from 'fastify'

export interface ReferenceScript {
  readonly plain: Uint8Array
  readonly gzipped: Uint8Array
}

/**
 * A thread of its own for half a second: the package is four megabytes to parse and to compress, and is gone from memory with the thread. It
 * gives its script away by its own route alone.
 */
const shell = Fastify()
await shell.register(scalar, { routePrefix: '/', configuration: { url: '/v3/openapi.json' } })
const { rawPayload } = await shell.inject('/js/scalar.js')
const script: ReferenceScript = { plain: rawPayload, gzipped: gzipSync(rawPayload) }
// A port between threads has no origin.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
parentPort?.postMessage(script)
