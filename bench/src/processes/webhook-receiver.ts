import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sharedClockMs } from '../content/shared-clock.ts'
import { readOptions, report } from './child-side.ts'

export interface Arrival {
  /** Time at which the request was complete, by the shared clock. */
  readonly atMs: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

readOptions()

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const atMs = sharedClockMs()
    response.writeHead(200).end()
    const arrival: Arrival = { atMs, headers: request.headers, body: Buffer.concat(chunks).toString('utf8') }
    report(arrival)
  })
})
server.listen(0, '127.0.0.1', () => report({ port: (server.address() as AddressInfo).port }))
