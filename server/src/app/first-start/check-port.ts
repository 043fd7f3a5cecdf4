import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Config } from '../config/config.ts'
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
export const checkPortIsFree = async (
  host: string,
  port: number,
  setting = 'ZOETROPE_PORT',
): Promise<void> => {
  const deadline = Date.now() + patienceMs
  for (;;) {
    const error = await tryToListen(host, port)
    if (error === null) return
    if (error.code !== 'EADDRINUSE')
      throw new ConfigError(
        `Zoetrope cannot listen on ${host} port ${port} (${error.code}); set ZOETROPE_HOST and ${setting}.`,
      )
    if (Date.now() > deadline)
      throw new ConfigError(
        `Port ${port} is in use by another program. Stop it, or set ${setting} to a free port.`,
      )
    await delay(100)
  }
}

/** Every start of a process without its port fails, so `up` would restart it forever. */
export const checkPorts = async (
  config: Pick<Config, 'host' | 'port' | 'workerPort' | 'liveHealthPort'>,
): Promise<void> => {
  const ports = [
    { setting: 'ZOETROPE_PORT', port: config.port },
    { setting: 'ZOETROPE_WORKER_PORT', port: config.workerPort },
    { setting: 'ZOETROPE_LIVE_HEALTH_PORT', port: config.liveHealthPort },
  ].filter(({ port }) => port !== 0)
  for (const [at, { setting, port }] of ports.entries()) {
    const same = ports.slice(0, at).find((other) => other.port === port)
    if (same !== undefined)
      throw new ConfigError(
        `${same.setting} and ${setting} are both ${port}. Set one of them to another port.`,
      )
    await checkPortIsFree(config.host, port, setting)
  }
}
