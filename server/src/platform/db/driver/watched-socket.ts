import { readFile } from 'node:fs/promises'
import { Socket } from 'node:net'

const checkMs = 5_000
/** Reached about 14 s after the first packet without an acknowledgement. */
const maxRetransmissions = 6
/** proc_pid_net(5): all TCP connections of the network namespace. Only Linux has them. */
const tables = ['/proc/self/net/tcp', '/proc/self/net/tcp6']

interface Progress {
  /** At the last check. */
  bytesRead: number
  /** When the other side had acknowledged everything. */
  bytesAcknowledged: number
}

const watched = new Map<Socket, Progress>()
let isChecking = false

const hexOf = (port = 0): string => port.toString(16).toUpperCase().padStart(4, '0')

/** The bytes without an acknowledgement, and how often they were sent again; null if the tables do not have the socket. */
const deliveryOf = (
  { localPort, remotePort }: Socket,
  text: string,
): { readonly waitingBytes: number; readonly retransmissions: number } | null => {
  const ports = `:${hexOf(localPort)} [0-9A-F]+:${hexOf(remotePort)}`
  const row = new RegExp(`${ports} 01 ([0-9A-F]+):[0-9A-F]+ \\S+ ([0-9A-F]+)`).exec(text)
  if (row === null) return null
  const [, waiting = '', retransmissions = ''] = row
  return {
    waitingBytes: Number.parseInt(waiting, 16),
    retransmissions: Number.parseInt(retransmissions, 16),
  }
}

const check = async (): Promise<void> => {
  const silent: [Socket, Progress, number][] = []
  for (const [socket, progress] of watched) {
    const { bytesRead, bytesWritten } = socket
    const hasAnswered = bytesRead !== progress.bytesRead
    progress.bytesRead = bytesRead
    // A Unix socket has no port, and loses nothing.
    if (!hasAnswered && bytesWritten !== progress.bytesAcknowledged && socket.localPort !== undefined)
      silent.push([socket, progress, bytesWritten])
  }
  if (silent.length === 0) return
  const text = (await Promise.all(tables.map((path) => readFile(path, 'latin1').catch(() => '')))).join('')
  for (const [socket, progress, bytesWritten] of silent) {
    const delivery = deliveryOf(socket, text)
    if (delivery === null) continue
    if (delivery.waitingBytes === 0) progress.bytesAcknowledged = bytesWritten
    if (delivery.retransmissions >= maxRetransmissions)
      socket.destroy(
        Object.assign(new Error('The database server does not acknowledge what it is sent.'), {
          code: 'ETIMEDOUT',
        }),
      )
  }
}

const checkRepeatedly = async (): Promise<void> => {
  if (isChecking) return
  isChecking = true
  while (watched.size > 0) {
    await new Promise((resolve) => setTimeout(resolve, checkMs).unref())
    await check()
  }
  isChecking = false
}

/**
 * A socket that fails with `ETIMEDOUT` about 20 s after the network has lost the other side, for example in a failover.
 * Linux would send the same packets again for 15 minutes, and keep-alive probes are sent only when nothing
 * else is. `TCP_USER_TIMEOUT`, which is made for this, cannot be set in Node.js. A server that takes long for an answer
 * acknowledges what it receives, so its connection stays.
 */
export const watchedSocket = (): Socket => {
  const socket = new Socket()
  watched.set(socket, { bytesRead: 0, bytesAcknowledged: 0 })
  socket.once('close', () => watched.delete(socket))
  void checkRepeatedly()
  return socket
}
