import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

interface Line {
  isBusy: boolean
  readonly waiting: [IncomingMessage, ServerResponse][]
}

/** No player pipelines this many requests. */
const maxWaiting = 32

/**
 * Prevents clients that do not read from filling the memory. RFC 9112 9.3.2: a client may pipeline requests.
 * Each is handled after the previous answer was sent, so that a connection holds the bytes of one answer. A
 * connection that reads nothing for `stuckMs`, or at most twice that, is closed.
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
    // A blocked request is idle as well, but has nothing to read.
    const isWaiting = lines.get(socket)?.isBusy === true && socket.writableLength === 0
    if (!isWaiting) socket.destroy()
  })
}
