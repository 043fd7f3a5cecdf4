import type { Socket } from 'node:net'
import { Connection, type ConnectionOptions } from './connection.ts'
import type { PublishEnd } from './publish-session.ts'
import { ReadPacer } from './read-pacer.ts'
import {
  defaultLimits,
  defaultTimeouts,
  readIntervalMs,
  startRealTimer,
  type RtmpLimits,
  type RtmpTimeouts,
  type StartTimer,
} from '../wire/settings.ts'

export interface RtmpServerOptions {
  /** Checks the stream key before the publish is accepted. The publisher sees the text of a refusal. */
  readonly authorize: ConnectionOptions['authorize']
  /** Consumes a publish, which ends when the promise settles. */
  readonly onPublish: ConnectionOptions['onPublish']
  /** Receives errors thrown by `authorize` and `onPublish`. */
  readonly onError: ConnectionOptions['onError']
  readonly limits?: Partial<RtmpLimits>
  readonly timeouts?: Partial<RtmpTimeouts>
  readonly startTimer?: StartTimer
}

export interface RtmpServer {
  /**
   * Handles a connected socket of node:net, or of node:tls for RTMPS. Resolves when the socket is closed and
   * never rejects.
   */
  readonly handleSocket: (socket: Socket) => Promise<PublishEnd>
  readonly connectionCount: () => number
  /**
   * Disconnects all publishers with this reason and waits for their sockets. Later sockets are closed
   * immediately.
   */
  readonly close: (reason: string) => Promise<void>
}

export const createRtmpServer = (options: RtmpServerOptions): RtmpServer => {
  const settings: ConnectionOptions = {
    ...options,
    limits: { ...defaultLimits, ...options.limits },
    timeouts: { ...defaultTimeouts, ...options.timeouts },
    startTimer: options.startTimer ?? startRealTimer,
    pacer: new ReadPacer(readIntervalMs),
  }
  const connections = new Map<Connection, Promise<PublishEnd>>()
  let isClosed = false
  return {
    handleSocket: async (socket) => {
      if (isClosed || connections.size >= settings.limits.connections) {
        socket.destroy()
        return { code: 'refused', message: 'The server accepts no further connections.' }
      }
      const connection = new Connection(socket, settings)
      const end = connection.run()
      connections.set(connection, end)
      try {
        return await end
      } finally {
        connections.delete(connection)
      }
    },
    connectionCount: () => connections.size,
    close: async (reason) => {
      isClosed = true
      for (const connection of connections.keys()) connection.close(reason)
      await Promise.all(connections.values())
    },
  }
}
