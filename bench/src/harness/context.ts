import { mkdir } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { CpuAccount } from './cpu-account.ts'

export interface BenchContext {
  /** Folder of this group, deleted afterwards. All disk figures are of its file system. */
  readonly workFolder: string
  readonly isQuick: boolean
  /** Ten minutes of load, to check that memory stays flat. */
  readonly isLong: boolean
  /** Processor time of this program and of all that it starts; null without root. */
  readonly account: CpuAccount | null
  readonly say: (text: string) => void
  /** Registers a cleanup for the end of the group, however it ends. Cleanups run in reverse order. */
  readonly defer: (undo: () => Promise<void>) => void
}

export const makeFolder = async (context: BenchContext, name: string): Promise<string> => {
  const folder = join(context.workFolder, name)
  await mkdir(folder, { recursive: true })
  return folder
}

export const freePort = async (): Promise<number> => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
