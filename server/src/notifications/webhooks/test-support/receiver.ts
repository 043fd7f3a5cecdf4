import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly eventId: number
  readonly fileId: number | null
  readonly atMs: number
}

export interface Receiver {
  readonly url: string
  readonly received: Received[]
  readonly until: (count: number) => Promise<void>
  readonly close: () => Promise<void>
}

/**
 * HTTP server that stands in for a customer's receiver. `answer` runs for each request after it is recorded;
 * by default every answer is 200.
 */
export const startReceiver = async (
  answer: (request: Received, response: ServerResponse) => void = (_request, response) => void response.end(),
): Promise<Receiver> => {
  const received: Received[] = []
  const waiters = new Set<() => void>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const [event] = JSON.parse(body) as [{ EventId: number }]
      const fileId = new URL(request.url ?? '/', 'http://receiver').searchParams.get('FileId')
      const one: Received = {
        path: request.url ?? '',
        headers: request.headers,
        body,
        eventId: event.EventId,
        fileId: fileId === null ? null : Number(fileId),
        atMs: performance.now(),
      }
      received.push(one)
      answer(one, response)
      for (const check of waiters) check()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    until: (count) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (received.length < count) return
          waiters.delete(check)
          resolve()
        }
        waiters.add(check)
        check()
      }),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
