import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { isShutdown, readSrtHandshake, withCookie, writeInduction } from './srt-handshake.ts'

const loopback = '127.0.0.1'
/** Interval of the attempts to reach a listener that is starting. */
const knockMs = 25
/**
 * A listener drops the packets that it holds for retransmission when it gets a shutdown, so the shutdown is
 * delayed until they have passed.
 */
const goodbyeMs = 400

/** Returns a local port that was free a moment ago. A caller that loses the race for it connects again. */
export const findFreeUdpPort = async (): Promise<number> => {
  const socket = createSocket('udp4')
  socket.bind(0, loopback)
  await once(socket, 'listening')
  const { port } = socket.address()
  socket.close()
  await once(socket, 'close')
  return port
}

export interface SrtBridge {
  readonly fromCaller: (packet: Buffer) => void
  readonly close: () => void
}

/**
 * Begins with a conclusion handshake that the caller sent to us. The listener needs an induction and its own
 * cookie first, so the bridge sends that induction. From then on packets pass unchanged, except for the
 * cookie of repeated conclusions.
 */
export const openSrtBridge = (
  port: number,
  conclusion: Buffer,
  toCaller: (packet: Buffer) => void,
): SrtBridge => {
  let cookie: number | null = null
  let isConnected = false
  const upstream: Socket = createSocket('udp4')
  const knock = (): void => {
    if (isConnected && cookie === null) upstream.send(writeInduction(conclusion))
  }
  const knocking = setInterval(knock, knockMs)
  // Until the listener is ready, each send may fail with a refused port.
  upstream.on('error', () => {})
  upstream.on('message', (packet) => {
    const handshake = readSrtHandshake(packet)
    if (handshake?.type !== 'induction') return toCaller(packet)
    if (cookie !== null) return
    cookie = handshake.cookie
    clearInterval(knocking)
    upstream.send(withCookie(conclusion, cookie))
  })
  upstream.connect(port, loopback, () => {
    isConnected = true
    knock()
  })
  return {
    fromCaller: (packet) => {
      // The caller repeats its conclusion until it is answered.
      if (!isConnected || cookie === null) return
      if (isShutdown(packet))
        return void setTimeout(() => isConnected && upstream.send(packet), goodbyeMs).unref()
      const isConclusion = readSrtHandshake(packet)?.type === 'conclusion'
      upstream.send(isConclusion ? withCookie(packet, cookie) : packet)
    },
    close: () => {
      clearInterval(knocking)
      isConnected = false
      upstream.close()
    },
  }
}
