import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface S3Counts {
  /** PUT, POST and lists: what stores charge as class A. */
  readonly writes: number
  readonly reads: number
  readonly deletes: number
  readonly sentBytes: number
  readonly receivedBytes: number
}

const isList = (url: string): boolean => /[?&](list-type|uploads|prefix|uploadId)(=|&|$)/.test(url)

/** Forwards requests to an S3 server and counts them. It changes nothing, not even `Host`, which signatures cover. */
export const startCountingProxy = async (endpoint: string) => {
  const counts = { writes: 0, reads: 0, deletes: 0, sentBytes: 0, receivedBytes: 0 }
  const target = new URL(endpoint)
  const server = createServer((incoming, response) => {
    const { method = 'GET', url = '/' } = incoming
    if (method === 'DELETE') counts.deletes += 1
    else if (method === 'PUT' || method === 'POST' || (method === 'GET' && isList(url))) counts.writes += 1
    else counts.reads += 1
    const forwarded = request(
      { host: target.hostname, port: target.port, method, path: url, headers: incoming.rawHeaders },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
        answer.on('data', (chunk: Buffer) => (counts.receivedBytes += chunk.length))
        answer.pipe(response)
      },
    )
    forwarded.on('error', () => response.destroy())
    response.on('close', () => forwarded.destroy())
    incoming.on('data', (chunk: Buffer) => (counts.sentBytes += chunk.length))
    incoming.pipe(forwarded)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    read: (): S3Counts => ({ ...counts }),
    stop: async (): Promise<void> => {
      server.closeAllConnections()
      server.close()
    },
  }
}
