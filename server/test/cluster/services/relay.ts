import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

/**
 * Relays requests to the store behind it, and breaks some: `node relay.ts <port> <port of the store>`. Its parent
 * sends the disturbance as a message.
 */
export interface Disturbance {
  /**
   * refuse: answers 503, as a store that throttles; cut: breaks the connection in the middle of an answer; swallow:
   * lets the store do what was asked, and breaks the connection instead of answering; delay: waits before each request.
   */
  readonly kind: 'none' | 'refuse' | 'cut' | 'swallow' | 'delay'
  /** Part of the requests, from 0 to 1. */
  readonly share: number
}

const [ownPort, storePort] = process.argv.slice(2).map(Number)
const delayMs = 1_500
let disturbance: Disturbance = { kind: 'none', share: 0 }
process.on('message', (message) => (disturbance = message as Disturbance))
process.on('disconnect', () => process.exit(0))

const slowDown =
  '<?xml version="1.0" encoding="UTF-8"?><Error><Code>SlowDown</Code><Message>Reduce your request rate.</Message></Error>'

const relay = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
  const kind = Math.random() < disturbance.share ? disturbance.kind : 'none'
  if (kind === 'refuse') {
    incoming.resume()
    response.writeHead(503, { 'Content-Type': 'application/xml', 'Retry-After': '1' }).end(slowDown)
    return
  }
  if (kind === 'delay') await delay(delayMs)
  const outgoing = request(
    {
      host: '127.0.0.1',
      agent: false,
      port: storePort,
      method: incoming.method,
      path: incoming.url,
      headers: incoming.headers,
    },
    (answer) => {
      if (kind === 'swallow') {
        answer.resume()
        answer.on('end', () => response.destroy())
        return
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      // Swift sends a body with some answers to HEAD, which is an error for Node.
      if (incoming.method === 'HEAD') {
        response.end()
        return
      }
      if (kind === 'cut') answer.once('data', () => setImmediate(() => response.destroy()))
      answer.pipe(response)
      answer.on('error', () => response.destroy())
    },
  )
  outgoing.on('error', () => {
    if (!response.writableEnded) response.destroy()
  })
  outgoing.on('information', ({ statusCode }) => {
    if (statusCode === 100) response.writeContinue()
  })
  response.on('close', () => outgoing.destroy())
  incoming.pipe(outgoing)
}

// The store answers `Expect: 100-continue` itself.
createServer()
  .on('request', (incoming, response) => void relay(incoming, response))
  .on('checkContinue', (incoming, response) => void relay(incoming, response))
  .listen(ownPort, '0.0.0.0', () => process.send?.('ready'))
