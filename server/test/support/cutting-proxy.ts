import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export interface CuttingProxy {
  /**
   * Breaks each of the next connections after this many bytes towards the server. One entry per connection.
   */
  readonly cutAfter: (bytes: readonly number[]) => void
  readonly cutAll: () => void
  readonly cuts: () => number
  readonly close: () => Promise<void>
}

/** Imitates a bad network between client and server: connections break in the middle of a body. */
export const startCuttingProxy = async (port: number, serverPort: number): Promise<CuttingProxy> => {
  let limits: number[] = []
  let cutCount = 0
  const sockets = new Set<Socket>()
  const proxy = createServer((client) => {
    const server = connect(serverPort, '127.0.0.1')
    let carriedBytes = 0
    const end = (): void => {
      client.destroy()
      server.destroy()
    }
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', end)
      socket.on('close', end)
    }
    client.on('data', (chunk: Buffer) => {
      carriedBytes += chunk.length
      if (limits[0] !== undefined && carriedBytes > limits[0]) {
        limits = limits.slice(1)
        cutCount += 1
        end()
        return
      }
      if (!server.write(chunk)) client.pause()
    })
    server.on('drain', () => client.resume())
    server.pipe(client)
  }).listen(port, '127.0.0.1')
  await once(proxy, 'listening')
  return {
    cutAfter: (bytes) => {
      limits = [...bytes]
    },
    cutAll: () => {
      for (const socket of sockets) socket.destroy()
    },
    cuts: () => cutCount,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}
