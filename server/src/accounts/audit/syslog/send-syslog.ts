import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import type { SyslogTarget } from './syslog-target.ts'

export interface SyslogOptions {
  /** PEM certificates that sign the receiver's; null = those of Node.js. */
  readonly ca: Buffer | null
  readonly timeoutMs: number
}

/** Octet counting (RFC 6587, section 3.4.1; RFC 5425, section 4.3). */
const frame = (message: string): string => `${Buffer.byteLength(message)} ${message}`

const openSocket = ({ transport, host, port }: SyslogTarget, ca: Buffer | null): Socket => {
  if (transport === 'tcp') return connectTcp({ host, port })
  const name = isIP(host) === 0 ? { servername: host } : {}
  return connectTls({ host, port, minVersion: 'TLSv1.2', ...name, ...(ca === null ? {} : { ca }) })
}

/** A proxy without a receiver behind it accepts connections and closes them at once. */
const earlyCloseMs = 50

/**
 * Syslog has no acknowledgements, and a sent message can be lost in the receiver's buffers. So each batch has its
 * own connection, closed in order: a receiver that dies before it has read everything resets the connection.
 */
const sendStream = async (
  target: SyslogTarget,
  messages: readonly string[],
  { ca, timeoutMs }: SyslogOptions,
): Promise<void> => {
  const socket = openSocket(target, ca)
  const timeout = setTimeout(() => {
    socket.destroy(new Error(`the receiver did not take the messages within ${timeoutMs} ms`))
  }, timeoutMs)
  try {
    const ended = once(socket, 'end')
    ended.catch(() => {})
    await once(socket, target.transport === 'tls' ? 'secureConnect' : 'connect')
    // Syslog receivers send nothing; without reading, the end would not arrive.
    socket.resume()
    const isClosed = await Promise.race([ended.then(() => true), delay(earlyCloseMs, false)])
    if (isClosed) throw new Error('the receiver closed the connection')
    socket.end(messages.map(frame).join(''))
    await ended
  } finally {
    clearTimeout(timeout)
    socket.on('error', () => {})
    socket.destroy()
  }
}

/** How long a refusal by the receiver's host (ICMP) may take. */
const refusalMs = 100

const sendDatagrams = async ({ host, port }: SyslogTarget, messages: readonly string[]): Promise<void> => {
  const socket = createSocket(isIP(host) === 6 ? 'udp6' : 'udp4')
  const failed = Promise.withResolvers<never>()
  failed.promise.catch(() => {})
  socket.on('error', failed.reject)
  try {
    const connected = once(socket, 'connect')
    socket.connect(port, host)
    await Promise.race([connected, failed.promise])
    for (const message of messages) {
      const sent = new Promise<void>((resolve, reject) => {
        socket.send(message, (error) => (error === null ? resolve() : reject(error)))
      })
      await Promise.race([sent, failed.promise])
    }
    await Promise.race([delay(refusalMs), failed.promise])
  } finally {
    socket.close()
  }
}

/** Throws when the receiver is away, refuses the connection, or closes it before it has read everything. */
export const sendSyslog = (
  target: SyslogTarget,
  messages: readonly string[],
  options: SyslogOptions,
): Promise<void> =>
  target.transport === 'udp' ? sendDatagrams(target, messages) : sendStream(target, messages, options)
