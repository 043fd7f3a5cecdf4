import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { isShutdown, readSrtHandshake, withCookie, writeInduction } from './srt-handshake.ts'

const loopback = '127.0.0.1'
/** How often a listener that is just starting is knocked at. */
const knockMs = 25
/** A listener drops what it holds back for lost packets when its caller says goodbye: it hears of that when all has passed. */
const goodbyeMs = 400

/** A port of this machine that was free a moment ago; who loses the race for it begins anew with its caller. */
export const findFreeUdpPort = async (): Promise<number> => {
  const socket = createSocket('udp4')
  socket.bind(0, loopback)
  await once(socket, 'listening')
  const { port } = socket.address()
  socket.close()
  await once(socket, 'close')
  return port
}

/** Carries the packets of one caller to a listener on this machine and back. */
export interface SrtBridge {
  readonly fromCaller: (packet: Buffer) => void
  readonly close: () => void
}

/**
 * Begins with a conclusion that the caller meant for us. The listener wants an induction first and its own cookie, so it gets that one from us;
 * from there on packets pass as they are, but for the cookie of conclusions that are sent again.
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
  // Until the listener is there, the system says that the port refuses; each send may.
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
      // The caller sends its conclusion again until it is answered.
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
