import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepareProcessKeys } from '../../src/app/roles/process-keys.ts'
import type { ConnectionOptions } from '../../src/platform/db/database.ts'
import { compileCache } from '../support/compile-cache.ts'
import { findFreePort } from '../support/free-port.ts'
import type { TestServer } from '../support/test-server.ts'
import { waitFor } from '../support/wait-for.ts'
import type { Installation } from './installation.ts'
import { mainScript } from '../support/main-script.ts'

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

export interface LiveNodeProcess extends SecondLiveNode {
  /** Address at which other nodes and viewers reach it. */
  readonly url: string
  /** Starts it again, on the same data folder and ports. */
  readonly start: () => Promise<void>
}

/** Starts a live node without a supervisor that would report its end. */
export const startLiveNodeProcess = async (options: {
  readonly connection: ConnectionOptions
  readonly dataFolder: string
  readonly publicUrl: string
  readonly environment: Readonly<Record<string, string>>
}): Promise<LiveNodeProcess> => {
  const [rtmpPort, livePort] = [await findFreePort(), await findFreePort()]
  const url = `http://127.0.0.1:${livePort}`
  const launch = () =>
    spawn(process.execPath, [mainScript, 'serve', '--role', 'live'], {
      env: {
        PATH: process.env['PATH'] ?? '',
        NODE_COMPILE_CACHE: compileCache,
        ZOETROPE_DATA: options.dataFolder,
        ZOETROPE_EMBEDDED_CONNECTION: JSON.stringify(options.connection),
        ZOETROPE_LOG_FILE: join(options.dataFolder, `live-node-${rtmpPort}.log`),
        ZOETROPE_PUBLIC_URL: options.publicUrl,
        ZOETROPE_RTMP_PORT: String(rtmpPort),
        ZOETROPE_SRT_PORT: '0',
        ZOETROPE_LIVE_URL: url,
        ...options.environment,
      },
      stdio: 'ignore',
    })
  let node = launch()
  const untilOpen = () =>
    waitFor(
      () => canConnect(rtmpPort),
      (isOpen) => isOpen,
    )
  await untilOpen()
  return {
    rtmpPort,
    url,
    start: async () => {
      node = launch()
      await untilOpen()
    },
    signal: (name) => void node.kill(name),
    kill: async () => {
      if (node.exitCode !== null || node.signalCode !== null) return
      const died = once(node, 'exit')
      node.kill('SIGKILL')
      await died
    },
  }
}

/**
 * Starts another live node, which no supervisor sees end: on the data folder of the installation, or as on another
 * machine with the same media storage.
 */
export const startSecondLiveNode = async (
  installation: Installation,
  { isElsewhere }: { readonly isElsewhere: boolean },
): Promise<SecondLiveNode> => {
  const folder = isElsewhere ? join(installation.dataFolder, 'elsewhere') : installation.dataFolder
  if (isElsewhere) {
    await mkdir(folder)
    await symlink(join(installation.dataFolder, 'media'), join(folder, 'media'))
    await copyFile(join(installation.dataFolder, 'master.key'), join(folder, 'master.key'))
  }
  return startLiveNodeProcess({
    connection: await installation.connection(),
    dataFolder: folder,
    publicUrl: installation.url,
    environment: { ZOETROPE_LIVE_DVR: isElsewhere ? 'media' : 'disk' },
  })
}

/** Starts a live node with a data folder of its own, like one on another machine with the same bucket. */
export const startNodeElsewhere = async (
  { dataFolder: sharedFolder, services, url }: TestServer,
  environment: Readonly<Record<string, string>>,
): Promise<LiveNodeProcess & { readonly remove: () => Promise<void> }> => {
  await prepareProcessKeys(services.database, services.secrets)
  const dataFolder = await mkdtemp(join(tmpdir(), 'zoetrope-live-'))
  await copyFile(join(sharedFolder, 'master.key'), join(dataFolder, 'master.key'))
  const node = await startLiveNodeProcess({
    connection: services.database.connection,
    dataFolder,
    publicUrl: url,
    environment,
  })
  return {
    ...node,
    remove: async () => {
      await node.kill()
      await rm(dataFolder, { recursive: true, force: true })
    },
  }
}
