import { createHmac, randomBytes, randomInt } from 'node:crypto'
import { createSocket, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'
import { opensWith } from './opens-with.ts'
import { openSrtBridge, type SrtBridge } from './srt-bridge.ts'
import {
  readSrtHandshake,
  srtRefusals,
  writeInductionAnswer,
  writeRefusal,
  writeShutdown,
  type SrtHandshake,
} from './srt-handshake.ts'

/** A stream that may be called. */
export interface SrtCallee {
  readonly passphrase: string
  /** Somebody called with another passphrase, or with none. */
  readonly onWrongPassphrase: (address: string) => void
  /**
   * Starts what listens; its port, and when it has ended. Null where the stream takes nobody now.
   */
  readonly answer: (call: SrtCall) => Promise<SrtListener | null>
}

/** A caller that has shown the passphrase. */
export interface SrtCall {
  readonly address: string
  /** Aborts when the caller gives the call up, or the front closes. */
  readonly signal: AbortSignal
  /** When its last packet came, on the clock of `performance.now`. */
  readonly heardAtMs: () => number
}

export interface SrtListener {
  readonly port: number
  readonly ended: Promise<unknown>
}

export interface SrtFrontOptions {
  readonly host: string
  readonly port: number
  /** Null for an id that names no stream that takes SRT. */
  readonly find: (streamId: string) => Promise<SrtCallee | null>
  readonly maxCallers: number
  readonly onError: (error: unknown) => void
}

export interface SrtFront {
  readonly port: number
  readonly callerCount: () => number
  /** Resolves when all that listens has ended. */
  readonly close: () => Promise<void>
}

interface Caller {
  readonly socketId: number
  readonly abort: AbortController
  bridge: SrtBridge | null
  heardAtMs: number
  readonly done: Promise<void>
}

const cookieLifeMs = 60_000
const receiveBufferBytes = 2 ** 22
/** Handshakes whose stream is being looked up. */
const maxChecks = 64

/**
 * One UDP port for all streams. It answers the first half of the handshake itself, with a cookie that only the caller's own address can bring
 * back; what is behind the second half, stream id and passphrase, is checked before anything is started. From there on it only passes packets on.
 */
export const openSrtFront = async (options: SrtFrontOptions): Promise<SrtFront> => {
  const callers = new Map<string, Caller>()
  const cookieKey = randomBytes(32)
  const listenerId = randomInt(1, 2 ** 30)
  let checkCount = 0
  let isClosed = false
  const socket = createSocket({
    type: options.host.includes(':') ? 'udp6' : 'udp4',
    recvBufferSize: receiveBufferBytes,
  })
  socket.bind(options.port, options.host)
  await once(socket, 'listening').catch((error: unknown) => {
    socket.close()
    throw error
  })
  socket.on('error', options.onError)

  const send = (packet: Buffer, { address, port }: RemoteInfo): void => {
    // A packet that cannot be sent is lost, as any other one may be.
    if (!isClosed) socket.send(packet, port, address, () => {})
  }

  /** Of the caller's address and the minute: nothing is kept for callers who don't come back. */
  const cookieOf = ({ address, port }: RemoteInfo, minute: number): number =>
    createHmac('sha256', cookieKey).update(`${address} ${port} ${minute}`).digest().readUInt32BE()

  const isOwnCookie = (cookie: number, from: RemoteInfo): boolean => {
    const minute = Math.floor(performance.now() / cookieLifeMs)
    return cookie === cookieOf(from, minute) || cookie === cookieOf(from, minute - 1)
  }

  /** A number where the caller is refused. */
  const admit = async (handshake: SrtHandshake, address: string): Promise<SrtCallee | number> => {
    const streamId = resourceOf(handshake.streamId)
    if (streamId === null) return srtRefusals.badRequest
    const callee = await options.find(streamId)
    if (callee === null) return srtRefusals.notFound
    const { keyMaterial } = handshake
    if (keyMaterial !== null && (await opensWith(keyMaterial, callee.passphrase))) return callee
    callee.onWrongPassphrase(address)
    return keyMaterial === null ? srtRefusals.unencrypted : srtRefusals.badPassphrase
  }

  const serve = async (
    caller: Omit<Caller, 'done'>,
    conclusion: Buffer,
    handshake: SrtHandshake,
    from: RemoteInfo,
  ): Promise<void> => {
    checkCount++
    const callee = await admit(handshake, from.address).finally(() => checkCount--)
    if (typeof callee === 'number') return send(writeRefusal(conclusion, callee), from)
    const listener = await callee.answer({
      address: from.address,
      signal: caller.abort.signal,
      heardAtMs: () => caller.heardAtMs,
    })
    if (listener === null) return send(writeRefusal(conclusion, srtRefusals.conflict), from)
    caller.bridge = openSrtBridge(listener.port, conclusion, (packet) => send(packet, from))
    try {
      await listener.ended
    } finally {
      caller.bridge.close()
      send(writeShutdown(handshake.socketId), from)
    }
  }

  const begin = (name: string, conclusion: Buffer, handshake: SrtHandshake, from: RemoteInfo): void => {
    if (callers.size >= options.maxCallers || checkCount >= maxChecks)
      return send(writeRefusal(conclusion, srtRefusals.overloaded), from)
    const call = {
      socketId: handshake.socketId,
      abort: new AbortController(),
      bridge: null,
      heardAtMs: performance.now(),
    } satisfies Omit<Caller, 'done'>
    const done = serve(call, conclusion, handshake, from)
      .catch(options.onError)
      .finally(() => callers.delete(name))
    callers.set(name, Object.assign(call, { done }))
  }

  socket.on('message', (packet, from) => {
    const name = `${from.address} ${from.port}`
    const known = callers.get(name)
    const handshake = readSrtHandshake(packet)
    if (handshake?.type === 'induction') {
      const minute = Math.floor(performance.now() / cookieLifeMs)
      return send(writeInductionAnswer(packet, cookieOf(from, minute), listenerId), from)
    }
    if (handshake === null || handshake.socketId === known?.socketId) {
      if (known !== undefined) known.heardAtMs = performance.now()
      return known?.bridge?.fromCaller(packet)
    }
    if (!isOwnCookie(handshake.cookie, from)) return
    // A caller that begins anew from the same port has given its former call up; it asks again until that is gone.
    if (known === undefined) begin(name, packet, handshake, from)
    else known.abort.abort()
  })

  return {
    port: socket.address().port,
    callerCount: () => callers.size,
    close: async () => {
      const all = [...callers.values()]
      for (const { abort } of all) abort.abort()
      await Promise.all(all.map(({ done }) => done))
      isClosed = true
      socket.close()
    },
  }
}

/** Either the id itself, or the resource of the form that the SRT Access Control guidelines have: `#!::r=id,m=publish`. */
const resourceOf = (streamId: string | null): string | null => {
  if (streamId === null || streamId === '') return null
  if (!streamId.startsWith('#!::')) return streamId
  const fields = streamId
    .slice(4)
    .split(',')
    .map((field) => field.split('='))
  return fields.find(([name]) => name === 'r')?.[1] ?? null
}
