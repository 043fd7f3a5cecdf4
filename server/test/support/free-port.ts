import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ports that systems give to outgoing connections and to servers without a port of their own (Linux: from 32768 on). */
const ports = { from: 10_000, to: 32_000 }

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer()
  server.listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}

/** A random port, so that tests that run at the same time do not get the same one. */
export const findFreePort = async (): Promise<number> => {
  const port = randomInt(ports.from, ports.to)
  return (await isFree(port)) ? port : findFreePort()
}
