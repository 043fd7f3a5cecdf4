import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import type { Log } from '../../../platform/log/log.ts'

/** Limit of Linux for the path of a socket. */
const longestPath = 107

const pathOf = (folder: string, nodeId: string): string => join(folder, `${nodeId}.sock`)

export interface ProcessSign {
  readonly remove: () => void
}

/**
 * Shows other nodes on the same data folder that this process runs: the kernel closes the socket with the process, but
 * not while it is paused.
 */
export const showProcess = async (folder: string, nodeId: string, log: Log): Promise<ProcessSign> => {
  const path = pathOf(folder, nodeId)
  const server = createServer((socket) => socket.destroy()).unref()
  try {
    if (path.length > longestPath) throw new Error(`The path ${path} is too long for a socket.`)
    server.listen(path)
    await once(server, 'listening')
  } catch (error) {
    log.warn({ err: error }, 'other live nodes on this data folder cannot see whether this one runs')
  }
  return { remove: () => void server.close() }
}

/** Whether the process of this node runs on this machine, paused or not. */
export const isProcessRunning = async (folder: string, nodeId: string): Promise<boolean> => {
  const socket = connect(pathOf(folder, nodeId))
  try {
    await once(socket, 'connect')
    return true
  } catch (error) {
    // A paused process accepts no connection, and its queue may be full.
    return (error as NodeJS.ErrnoException).code === 'EAGAIN'
  } finally {
    socket.destroy()
  }
}
