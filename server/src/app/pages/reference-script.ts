import { parentPort } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import scalar from '@scalar/fastify-api-reference'
import Fastify from 'fastify'

export interface ReferenceScript {
  readonly plain: Uint8Array
  readonly gzipped: Uint8Array
}

/**
 * Runs in its own thread for half a second: the package has four megabytes to parse and compress, and the thread
 * frees that memory when it ends. The package exposes its script only through its route.
 */
const shell = Fastify()
await shell.register(scalar, { routePrefix: '/', configuration: { url: '/v3/openapi.json' } })
const { rawPayload } = await shell.inject('/js/scalar.js')
const script: ReferenceScript = { plain: rawPayload, gzipped: gzipSync(rawPayload) }
// A port between threads has no origin.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
parentPort?.postMessage(script)
