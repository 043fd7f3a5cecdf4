import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** What one connection has asked. */
interface Line {
  isBusy: boolean
  readonly waiting: [IncomingMessage, ServerResponse][]
}

/** No player sends so many before it has an answer. */
const maxWaiting = 32

/**
 * Who does not read must not fill the memory. RFC 9112 9.3.2: a second request may come before the first is answered; it is handled when the first
 * answer has left, so that a connection holds the bytes of one. A connection that takes none of them for `stuckMs`, at most twice that, is ended.
 */
export const guardConnections = (server: Server, handle: RequestListener, stuckMs: number): void => {
  const lines = new WeakMap<Socket, Line>()

  const lineOf = (socket: Socket): Line => {
    const known = lines.get(socket)
    if (known !== undefined) return known
    const line: Line = { isBusy: false, waiting: [] }
    lines.set(socket, line)
    return line
  }

  const begin = (line: Line, request: IncomingMessage, response: ServerResponse): void => {
    line.isBusy = true
    response.once('close', () => {
      line.isBusy = false
      const next = line.waiting.shift()
      if (next !== undefined && !request.socket.destroyed) begin(line, ...next)
    })
    handle(request, response)
  }

  server.on('request', (request, response) => {
    const line = lineOf(request.socket)
    if (!line.isBusy) begin(line, request, response)
    else if (line.waiting.length < maxWaiting) line.waiting.push([request, response])
    else request.socket.destroy()
  })
  server.setTimeout(stuckMs, (socket: Socket) => {
    // Who waits for the next part is silent, too, but has nothing to take.
    const isWaiting = lines.get(socket)?.isBusy === true && socket.writableLength === 0
    if (!isWaiting) socket.destroy()
  })
}
