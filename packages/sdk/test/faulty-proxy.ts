import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Fault of one request: none, cut the connection after some bytes of the body, lose the response, send its headers only,
 * or replace it.
 */
export type Fault =
  | 'none'
  | { readonly cutAfterBytes: number }
  | 'lose answer'
  | 'stay silent'
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }

export interface FaultyProxy {
  readonly url: string
  readonly requests: {
    readonly method: string
    readonly path: string
    readonly headers: IncomingMessage['headers']
    /** Bytes of the body that the client was sent. */
    sentBytes: number
  }[]
  /** Cuts all connections. */
  readonly cut: () => void
  readonly stop: () => Promise<void>
}

export const startFaultyProxy = async (
  target: string,
  faultOf: (request: { method: string; path: string; count: number }) => Fault,
): Promise<FaultyProxy> => {
  const { hostname, port } = new URL(target)
  const requests: FaultyProxy['requests'] = []
  const server = createServer((incoming: IncomingMessage, answer: ServerResponse) => {
    const { method = 'GET', url: path = '/', headers } = incoming
    const request = { method, path, headers, sentBytes: 0 }
    requests.push(request)
    const fault = faultOf({ method, path, count: requests.length })
    if (typeof fault === 'object' && 'status' in fault) {
      incoming.resume()
      answer.writeHead(fault.status, fault.headers).end(fault.body ?? 'not from the API')
      return
    }
    const outgoing = forward({ hostname, port, method, path, headers }, (response) => {
      if (fault === 'lose answer') {
        response.resume()
        response.on('end', () => incoming.socket.destroy())
        return
      }
      answer.writeHead(response.statusCode ?? 502, response.headers)
      if (fault === 'stay silent') {
        answer.flushHeaders()
        return
      }
      response.on('data', (chunk: Buffer) => (request.sentBytes += chunk.length))
      response.pipe(answer)
    })
    outgoing.on('error', () => incoming.socket.destroy())
    answer.on('close', () => outgoing.destroy())
    if (typeof fault !== 'object') {
      incoming.pipe(outgoing)
      return
    }
    let passedBytes = 0
    incoming.on('data', (chunk: Buffer) => {
      const rest = fault.cutAfterBytes - passedBytes
      passedBytes += chunk.length
      if (chunk.length < rest) outgoing.write(chunk)
      else outgoing.write(chunk.subarray(0, Math.max(0, rest)), () => incoming.socket.destroy())
    })
    incoming.on('end', () => outgoing.end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    cut: () => server.closeAllConnections(),
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
