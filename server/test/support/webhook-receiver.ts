import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly query: URLSearchParams
  readonly body: string
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly event: any
  readonly atMs: number
}

export interface WebhookReceiver {
  readonly url: string
  readonly received: readonly Received[]
  readonly next: (event: string) => Promise<Received>
  readonly nextWhere: (isWanted: (one: Received) => boolean) => Promise<Received>
  readonly stop: () => Promise<void>
}

export const startWebhookReceiver = async (): Promise<WebhookReceiver> => {
  const received: Received[] = []
  const waiting: { isWanted: (one: Received) => boolean; resolve: (one: Received) => void }[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8')
      const [event] = JSON.parse(body)
      const { searchParams: query } = new URL(request.url ?? '/', 'http://receiver')
      const one = { headers: request.headers, query, body, event, atMs: performance.now() }
      received.push(one)
      response.end('thanks')
      for (const entry of waiting.filter(({ isWanted }) => isWanted(one))) {
        waiting.splice(waiting.indexOf(entry), 1)
        entry.resolve(one)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const nextWhere: WebhookReceiver['nextWhere'] = (isWanted) => {
    const known = received.find(isWanted)
    if (known !== undefined) return Promise.resolve(known)
    return new Promise((resolve) => waiting.push({ isWanted, resolve }))
  }
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    next: (name) => nextWhere(({ event }) => event.Event === name),
    nextWhere,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
