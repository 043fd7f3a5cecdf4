import { mkdir } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'

/** What every group of rows gets. */
export interface BenchContext {
  /** A folder of this group alone; removed afterwards. All disk figures are of its file system. */
  readonly workFolder: string
  readonly isQuick: boolean
  /** Ten minutes of load, to see whether memory stays flat. */
  readonly isLong: boolean
  /** A line for whoever waits. */
  readonly say: (text: string) => void
  /** Called when the group is over, however it ends; the last one first. */
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
