import { open } from 'node:fs/promises'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { readOptions, report } from './child-side.ts'

export interface SocketSinkOptions {
  readonly filePath: string
  readonly sizeBytes: number
}

const writeBytes = 1024 * 1024
const { filePath, sizeBytes } = readOptions() as SocketSinkOptions

/** The limit of an upload on this runtime: bytes from a socket to a file in large writes, then one sync. */
const receive = async (socket: Socket): Promise<void> => {
  await using handle = await open(filePath, 'w')
  let pending: Buffer[] = []
  let pendingBytes = 0
  let received = 0
  for await (const chunk of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    pending.push(chunk)
    pendingBytes += chunk.length
    received += chunk.length
    if (pendingBytes < writeBytes && received < sizeBytes) continue
    await handle.writev(pending)
    pending = []
    pendingBytes = 0
    if (received >= sizeBytes) break
  }
  await handle.datasync()
  socket.end('done')
}

const server = createServer((socket) => void receive(socket))
server.listen(0, '127.0.0.1', () => report({ port: (server.address() as AddressInfo).port }))
