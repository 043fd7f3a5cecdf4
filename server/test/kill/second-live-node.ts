import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { compileCache } from '../support/compile-cache.ts'
import { findFreePort } from '../support/free-port.ts'
import { waitFor } from '../support/wait-for.ts'
import type { Installation } from './installation.ts'

const mainScript = fileURLToPath(new URL('../../src/app/main.ts', import.meta.url))

export interface SecondLiveNode {
  readonly rtmpPort: number
  readonly signal: (name: 'SIGSTOP' | 'SIGCONT') => void
  readonly kill: () => Promise<void>
}

const canConnect = async (port: number): Promise<boolean> => {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

/** Starts another live node on the data folder of the installation. No supervisor sees it end. */
export const startSecondLiveNode = async (installation: Installation): Promise<SecondLiveNode> => {
  const connection = await installation.connection()
  const rtmpPort = await findFreePort()
  const node = spawn(process.execPath, [mainScript, 'serve', '--role', 'live'], {
    env: {
      PATH: process.env['PATH'] ?? '',
      NODE_COMPILE_CACHE: compileCache,
      ZOETROPE_DATA: installation.dataFolder,
      ZOETROPE_EMBEDDED_CONNECTION: JSON.stringify(connection),
      ZOETROPE_LOG_FILE: `${installation.dataFolder}/second-live-node.log`,
      ZOETROPE_PUBLIC_URL: installation.url,
      ZOETROPE_RTMP_PORT: String(rtmpPort),
      ZOETROPE_SRT_PORT: '0',
    },
    stdio: 'ignore',
  })
  await waitFor(
    () => canConnect(rtmpPort),
    (isOpen) => isOpen,
  )
  return {
    rtmpPort,
    signal: (name) => void node.kill(name),
    kill: async () => {
      if (node.exitCode !== null || node.signalCode !== null) return
      const died = once(node, 'exit')
      node.kill('SIGKILL')
      await died
    },
  }
}
