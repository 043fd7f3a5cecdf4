import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { ConfigError } from '../config/settings/setting.ts'

/** Time that the processes of a killed tree may need to release their ports. */
const patienceMs = 3_000

/** Returns the error of listening, or null when the port is free. */
export const tryToListen = async (host: string, port: number): Promise<NodeJS.ErrnoException | null> => {
  const server = createServer()
  try {
    server.listen({ host, port })
    await once(server, 'listening')
    server.close()
    await once(server, 'close')
    return null
  } catch (error) {
    return error as NodeJS.ErrnoException
  }
}

/** Fails early with a readable error instead of a crash loop of the api process. */
export const checkPortIsFree = async (host: string, port: number): Promise<void> => {
  const deadline = Date.now() + patienceMs
  for (;;) {
    const error = await tryToListen(host, port)
    if (error === null) return
    if (error.code !== 'EADDRINUSE')
      throw new ConfigError(
        `Zoetrope cannot listen on ${host} port ${port} (${error.code}); set ZOETROPE_HOST and ZOETROPE_PORT.`,
      )
    if (Date.now() > deadline)
      throw new ConfigError(
        `Port ${port} is in use by another program. Stop it, or set ZOETROPE_PORT to a free port.`,
      )
    await delay(100)
  }
}
