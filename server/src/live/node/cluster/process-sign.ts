import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import type { Log } from '../../../platform/log/log.ts'

/** Limit of Linux for the path of a socket. */
const longestPath = 107

interface SocketAddress {
  readonly path: string
  /** Called when the path is no longer needed. */
  readonly close: () => void
}

/** In a folder with a longer path, the socket is named through a descriptor of the folder. Only Linux can do so. */
const addressOf = (folder: string, nodeId: string): SocketAddress => {
  const name = `${nodeId}.sock`
  const path = join(folder, name)
  if (Buffer.byteLength(path) <= longestPath) return { path, close: () => {} }
  const descriptor = openSync(folder, 'r')
  return { path: `/proc/self/fd/${descriptor}/${name}`, close: () => closeSync(descriptor) }
}

export interface ProcessSign {
  readonly remove: () => void
}

/**
 * Shows other nodes on the same data folder that this process runs: the kernel closes the socket with the process, but
 * not while it is paused.
 */
export const showProcess = async (folder: string, nodeId: string, log: Log): Promise<ProcessSign> => {
  const address = addressOf(folder, nodeId)
  const server = createServer((socket) => socket.destroy()).unref()
  try {
    server.listen(address.path)
    await once(server, 'listening')
  } catch (error) {
    log.warn({ err: error }, 'other live nodes on this data folder cannot see whether this one runs')
  }
  return { remove: () => void server.close(address.close) }
}

/** Null = a process accepts the connection. */
const refusalOf = async (folder: string, nodeId: string): Promise<string | undefined | null> => {
  const address = addressOf(folder, nodeId)
  const socket = connect(address.path)
  try {
    await once(socket, 'connect')
    return null
  } catch (error) {
    return (error as NodeJS.ErrnoException).code
  } finally {
    socket.destroy()
    address.close()
  }
}

/** Whether the process of this node runs on this machine, paused or not. */
export const isProcessRunning = async (folder: string, nodeId: string): Promise<boolean> => {
  const refusal = await refusalOf(folder, nodeId)
  // A paused process accepts no connection, and its queue may be full.
  return refusal === null || refusal === 'EAGAIN'
}

/** A new socket refuses connections for a moment, between `bind` and `listen`. */
const youngMs = 1_000

/** Removes the folders of nodes that were killed. A node without a socket may be about to show its process. */
export const removeFoldersOfKilled = async (folder: string): Promise<void> => {
  for (const name of await readdir(folder)) {
    const nodeId = /^(.+)\.sock$/.exec(name)?.[1]
    if (nodeId === undefined) continue
    const path = join(folder, name)
    const stats = await stat(path).catch(() => null)
    if (stats === null || Date.now() - stats.mtimeMs < youngMs) continue
    if ((await refusalOf(folder, nodeId)) !== 'ECONNREFUSED') continue
    await rm(join(folder, nodeId), { recursive: true, force: true })
    await rm(path, { force: true })
  }
}
