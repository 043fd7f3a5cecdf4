import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readOptions, report } from './child-side.ts'

export interface SinkOptions {
  readonly batch: number
}

export interface Batch {
  readonly seconds: number
}

const { batch } = readOptions() as SinkOptions
let count = 0
let firstMs = 0

/** Accepts every POST without reading it. Requests to /hang get no response. */
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    if (request.url?.startsWith('/hang') === true) return
    response.writeHead(204).end()
    if (count === 0) firstMs = performance.now()
    count += 1
    if (count < batch) return
    count = 0
    report({ seconds: (performance.now() - firstMs) / 1000 } satisfies Batch)
  })
})
server.listen(0, '127.0.0.1', () => report({ port: (server.address() as AddressInfo).port }))
