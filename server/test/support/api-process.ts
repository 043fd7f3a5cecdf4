import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compileCache } from './compile-cache.ts'
import { findFreePort } from './free-port.ts'
import type { TestServer } from './test-server.ts'
import { waitFor } from './wait-for.ts'
import { mainScript } from './main-script.ts'

export interface ApiProcess {
  readonly url: string
  /** Ends the process as a power failure does. */
  readonly kill: () => Promise<void>
  readonly start: () => Promise<void>
  readonly remove: () => Promise<void>
}

/** Starts an api process of its own, like one on another machine: it shares only the database and the bucket. */
export const startApiProcess = async (
  { dataFolder: sharedFolder, services, url: publicUrl }: TestServer,
  environment: Readonly<Record<string, string>>,
): Promise<ApiProcess> => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'zoetrope-api-'))
  await copyFile(join(sharedFolder, 'master.key'), join(dataFolder, 'master.key'))
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const launch = () =>
    spawn(process.execPath, [mainScript, 'serve', '--role', 'api'], {
      env: {
        PATH: process.env['PATH'] ?? '',
        NODE_COMPILE_CACHE: compileCache,
        ZOETROPE_DATA: dataFolder,
        ZOETROPE_PORT: String(port),
        ZOETROPE_PUBLIC_URL: publicUrl,
        ZOETROPE_EMBEDDED_CONNECTION: JSON.stringify(services.database.connection),
        ZOETROPE_LOG_FILE: join(dataFolder, 'zoetrope.log'),
        ...environment,
      },
      stdio: 'ignore',
    })
  let child: ReturnType<typeof launch> | null = null
  const start = async (): Promise<void> => {
    child = launch()
    await waitFor(
      () => fetch(`${url}/readyz`).catch(() => null),
      (answer) => answer?.status === 200,
    )
  }
  const kill = async (): Promise<void> => {
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    const died = once(child, 'exit')
    child.kill('SIGKILL')
    await died
  }
  await start()
  return {
    url,
    start,
    kill,
    remove: async () => {
      await kill()
      await rm(dataFolder, { recursive: true, force: true })
    },
  }
}
