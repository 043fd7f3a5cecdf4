import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, symlink } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
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

/**
 * Starts another live node, which no supervisor sees end: on the data folder of the installation, or as on another
 * machine with the same storage of media.
 */
export const startSecondLiveNode = async (
  installation: Installation,
  { isElsewhere }: { readonly isElsewhere: boolean },
): Promise<SecondLiveNode> => {
  const connection = await installation.connection()
  const folder = isElsewhere ? join(installation.dataFolder, 'elsewhere') : installation.dataFolder
  if (isElsewhere) {
    await mkdir(folder)
    await symlink(join(installation.dataFolder, 'media'), join(folder, 'media'))
    await copyFile(join(installation.dataFolder, 'master.key'), join(folder, 'master.key'))
  }
  const rtmpPort = await findFreePort()
  const node = spawn(process.execPath, [mainScript, 'serve', '--role', 'live'], {
    env: {
      PATH: process.env['PATH'] ?? '',
      NODE_COMPILE_CACHE: compileCache,
      ZOETROPE_DATA: folder,
      ZOETROPE_LIVE_DVR: isElsewhere ? 'media' : 'disk',
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
