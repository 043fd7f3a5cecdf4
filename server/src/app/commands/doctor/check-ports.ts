import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { Config } from '../../config/config.ts'
import { tryToListen } from '../../first-start/check-port.ts'
import { findListener, type Listener } from './find-listener.ts'
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

const isOtherRole = (commandLine: string): boolean => / serve --role (?:live|worker)/.test(commandLine)

/** Without a supervisor, the api process runs alone: live nodes and workers are on this machine only if they were started, too. */
const isSupervised = ({ parentCommandLine }: Listener): boolean => / (?:up|serve)$/.test(parentCommandLine)

interface Port {
  readonly name: string
  readonly setting: string
  readonly port: number
  readonly runsOn: string
}

/** The live node of a running installation keeps trying to listen while another program occupies its port. */
const judgeWhileRunning = (
  { name, setting, port, runsOn }: Port,
  isFree: boolean,
  listener: Listener | null,
  api: Listener | null,
): Finding => {
  if (isFree && api !== null && !isSupervised(api))
    return finding(name, 'ok', `${port} is free, because the api process runs without ${runsOn}`)
  if (isFree)
    return finding(
      name,
      'warning',
      `Zoetrope runs, but does not listen on port ${port}. If this machine runs ${runsOn}, see its log.`,
    )
  const isOther =
    listener !== null &&
    api !== null &&
    listener.parentId !== api.parentId &&
    !isOtherRole(listener.commandLine)
  return isOther
    ? finding(
        name,
        'failed',
        `Process ${listener.processId} (${listener.commandLine.split(' ')[0]}) uses port ${port}, not Zoetrope. Stop it, or set ${setting} to a free port.`,
      )
    : finding(name, 'ok', `${port}, used by the running Zoetrope`)
}

export const checkPorts = async (config: Config, isRunning: boolean): Promise<Finding[]> => {
  const liveHost = config.liveHost ?? config.host
  const live = { host: liveHost, isUdp: false, runsOn: 'a live node' }
  const worker = { host: config.host, isUdp: false, runsOn: 'a worker' }
  const ports = [
    { ...live, name: 'Port of the API', setting: 'ZOETROPE_PORT', port: config.port, host: config.host },
    { ...live, name: 'Port of RTMP', setting: 'ZOETROPE_RTMP_PORT', port: config.rtmpPort },
    { ...live, name: 'Port of RTMPS', setting: 'ZOETROPE_RTMPS_PORT', port: config.rtmpsPort },
    { ...live, name: 'Port of SRT', setting: 'ZOETROPE_SRT_PORT', port: config.srtPort, isUdp: true },
    { ...worker, name: 'Port of the worker', setting: 'ZOETROPE_WORKER_PORT', port: config.workerPort },
    {
      ...live,
      name: 'Port of the live node',
      setting: 'ZOETROPE_LIVE_HEALTH_PORT',
      port: config.liveHealthPort,
      host: config.host,
    },
  ].filter(({ port }) => port !== 0)
  const api = isRunning ? await findListener(config.port, 'tcp') : null
  return Promise.all(
    ports.map(async (one) => {
      const { name, setting, port, host, isUdp } = one
      const error = await (isUdp ? tryUdp(host, port) : tryToListen(host, port))
      if (!isRunning || (error !== null && error.code !== 'EADDRINUSE'))
        return judge(name, setting, port, error)
      return judgeWhileRunning(one, error === null, await findListener(port, isUdp ? 'udp' : 'tcp'), api)
    }),
  )
}
