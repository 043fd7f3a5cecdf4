import { createHmac, randomBytes, randomInt } from 'node:crypto'
import { createSocket, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'
import { createAddressCap } from '../../../../platform/http/limits/address-cap.ts'
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

export interface SrtCallee {
  readonly passphrase: string
  readonly onWrongPassphrase: (address: string) => void
  /** Starts a listener for the call. Returns null when the stream accepts no call now. */
  readonly answer: (call: SrtCall) => Promise<SrtListener | null>
}

/** A caller that has proved the passphrase. */
export interface SrtCall {
  readonly address: string
  /** Aborts when the caller hangs up or the front closes. */
  readonly signal: AbortSignal
  /** Time of its last packet, on the clock of `performance.now`. */
  readonly receivedAtMs: () => number
}

export interface SrtListener {
  readonly port: number
  readonly ended: Promise<unknown>
}

export interface SrtFrontOptions {
  readonly host: string
  readonly port: number
  /** Returns null when the id names no stream that accepts SRT. */
  readonly find: (streamId: string) => Promise<SrtCallee | null>
  readonly maxCallers: number
  /** 0 = no limit. */
  readonly maxCallersPerAddress: number
  readonly onError: (error: unknown) => void
}

export interface SrtFront {
  readonly port: number
  readonly callerCount: () => number
  /** Resolves when all listeners have ended. */
  readonly close: () => Promise<void>
}

interface Caller {
  readonly socketId: number
  readonly abort: AbortController
  bridge: SrtBridge | null
  receivedAtMs: number
  readonly done: Promise<void>
}

const cookieLifeMs = 60_000
const receiveBufferBytes = 2 ** 22
/** Limits of the handshakes whose stream and passphrase are being checked. */
const maxChecks = 64
const maxChecksPerAddress = 8

/**
 * One UDP port for all streams. It answers the first half of the handshake with a cookie that only the
 * caller's own address can return. It checks stream id and passphrase of the second half before it starts a
 * process. From then on it only forwards packets.
 */
export const openSrtFront = async (options: SrtFrontOptions): Promise<SrtFront> => {
  const callers = new Map<string, Caller>()
  const cookieKey = randomBytes(32)
  const listenerId = randomInt(1, 2 ** 30)
  let checkCount = 0
  const ofAddress = createAddressCap(options.maxCallersPerAddress)
  const checksOfAddress = createAddressCap(maxChecksPerAddress)
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
    // A packet that cannot be sent counts as lost in the network.
    if (!isClosed) socket.send(packet, port, address, () => {})
  }

  /**
   * Derives the cookie from the address and the minute, so that no state is kept for callers that do not
   * return.
   */
  const cookieOf = ({ address, port }: RemoteInfo, minute: number): number =>
    createHmac('sha256', cookieKey).update(`${address} ${port} ${minute}`).digest().readUInt32BE()

  const isOwnCookie = (cookie: number, from: RemoteInfo): boolean => {
    const minute = Math.floor(performance.now() / cookieLifeMs)
    return cookie === cookieOf(from, minute) || cookie === cookieOf(from, minute - 1)
  }

  /** Returns a number when the caller is refused. */
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
    endCheck: () => void,
  ): Promise<void> => {
    const callee = await admit(handshake, from.address).finally(endCheck)
    if (typeof callee === 'number') return send(writeRefusal(conclusion, callee), from)
    const listener = await callee.answer({
      address: from.address,
      signal: caller.abort.signal,
      receivedAtMs: () => caller.receivedAtMs,
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

  /**
   * Takes the place of a handshake that is checked. Returns null when too many are: the caller repeats its
   * handshake, so a flood delays it at most.
   */
  const takeCheck = (address: string): (() => void) | null => {
    if (checkCount >= maxChecks) return null
    const giveBack = checksOfAddress.take(address)
    if (giveBack === null) return null
    checkCount += 1
    let isChecking = true
    return () => {
      if (isChecking) checkCount -= 1
      isChecking = false
      giveBack()
    }
  }

  const begin = (name: string, conclusion: Buffer, handshake: SrtHandshake, from: RemoteInfo): void => {
    const acceptedCount = callers.size - checkCount
    const endCheck = takeCheck(from.address)
    if (endCheck === null) return
    const giveBack = acceptedCount < options.maxCallers ? ofAddress.take(from.address) : null
    if (giveBack === null) {
      endCheck()
      return send(writeRefusal(conclusion, srtRefusals.overloaded), from)
    }
    const call = {
      socketId: handshake.socketId,
      abort: new AbortController(),
      bridge: null,
      receivedAtMs: performance.now(),
    } satisfies Omit<Caller, 'done'>
    const done = serve(call, conclusion, handshake, from, endCheck)
      .catch(options.onError)
      .finally(() => {
        endCheck()
        giveBack()
        callers.delete(name)
      })
    callers.set(name, Object.assign(call, { done }))
  }

  socket.on('message', (packet, from) => {
    // Nothing can be sent to this port: `send` throws.
    if (from.port === 0) return
    const name = `${from.address} ${from.port}`
    const known = callers.get(name)
    const handshake = readSrtHandshake(packet)
    if (handshake?.type === 'induction') {
      const minute = Math.floor(performance.now() / cookieLifeMs)
      return send(writeInductionAnswer(packet, cookieOf(from, minute), listenerId), from)
    }
    if (handshake === null || handshake.socketId === known?.socketId) {
      if (known !== undefined) known.receivedAtMs = performance.now()
      return known?.bridge?.fromCaller(packet)
    }
    if (!isOwnCookie(handshake.cookie, from)) return
    // A caller that restarts on the same port has abandoned its former call. It repeats its handshake until
    // that call has ended.
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

/**
 * Returns the id itself, or the resource in the syntax of the SRT Access Control guidelines:
 * `#!::r=id,m=publish`.
 */
const resourceOf = (streamId: string | null): string | null => {
  if (streamId === null || streamId === '') return null
  if (!streamId.startsWith('#!::')) return streamId
  const fields = streamId
    .slice(4)
    .split(',')
    .map((field) => field.split('='))
  return fields.find(([name]) => name === 'r')?.[1] ?? null
}
