import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { Config } from '../../config/config.ts'
import { tryToListen } from '../../first-start/check-port.ts'
import { finding, type Finding } from './finding.ts'

const tryUdp = async (host: string, port: number): Promise<NodeJS.ErrnoException | null> => {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4')
  try {
    socket.bind(port, host)
    await once(socket, 'listening')
    return null
  } catch (error) {
    return error as NodeJS.ErrnoException
  } finally {
    socket.close()
  }
}

const judge = (name: string, setting: string, port: number, error: NodeJS.ErrnoException | null): Finding => {
  if (error === null) return finding(name, 'ok', `${port} is free`)
  if (error.code === 'EADDRINUSE')
    return finding(
      name,
      'failed',
      `Another program uses port ${port}. Stop it, or set ${setting} to a free port.`,
    )
  if (error.code === 'EACCES')
    return finding(name, 'failed', `Port ${port} requires root. Set ${setting} to a port above 1023.`)
  return finding(
    name,
    'failed',
    `Cannot use port ${port} (${error.code}). Check ${setting} and the address to listen on.`,
  )
}

/** A running installation occupies its own ports. */
export const checkPorts = async (config: Config, isRunning: boolean): Promise<Finding[]> => {
  const liveHost = config.liveHost ?? config.host
  const ports = [
    { name: 'Port of the API', setting: 'ZOETROPE_PORT', port: config.port, host: config.host, isUdp: false },
    {
      name: 'Port of RTMP',
      setting: 'ZOETROPE_RTMP_PORT',
      port: config.rtmpPort,
      host: liveHost,
      isUdp: false,
    },
    {
      name: 'Port of RTMPS',
      setting: 'ZOETROPE_RTMPS_PORT',
      port: config.rtmpsPort,
      host: liveHost,
      isUdp: false,
    },
    { name: 'Port of SRT', setting: 'ZOETROPE_SRT_PORT', port: config.srtPort, host: liveHost, isUdp: true },
  ].filter(({ port }) => port !== 0)
  if (isRunning)
    return ports.map(({ name, port }) => finding(name, 'ok', `${port}, used by the running Zoetrope`))
  return Promise.all(
    ports.map(async ({ name, setting, port, host, isUdp }) =>
      judge(name, setting, port, await (isUdp ? tryUdp(host, port) : tryToListen(host, port))),
    ),
  )
}
