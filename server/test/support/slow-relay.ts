import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface SlowRelay {
  readonly port: number
  /** Of all connections together, towards the viewer. Applies to what follows. */
  readonly setRate: (bitsPerSecond: number) => void
  readonly close: () => Promise<void>
}

interface Line {
  readonly client: Socket
  readonly server: Socket
  readonly waiting: Buffer[]
}

const tickMs = 5
/** A connection takes its turn with a packet. */
const packetBytes = 1_448
/** Bytes held for a connection, like the buffers of a real line. */
const mostWaitingBytes = 64 * 1_024

/**
 * Imitates the line of a viewer: all connections share its rate, and each direction has half of the round trip as latency.
 * Chromium's own throttling gives each request the whole rate.
 */
export const startSlowRelay = async (
  serverPort: number,
  { bitsPerSecond, roundTripMs = 40 }: { readonly bitsPerSecond: number; readonly roundTripMs?: number },
): Promise<SlowRelay> => {
  const lines = new Set<Line>()
  let bytesPerMs = bitsPerSecond / 8_000
  let budgetBytes = 0
  let lastMs = performance.now()
  const later = (socket: Socket, data: Buffer): void => {
    setTimeout(() => socket.destroyed || socket.write(data), roundTripMs / 2)
  }

  const takeTurn = (line: Line): void => {
    const [first] = line.waiting
    if (first === undefined) return
    const packet = first.subarray(0, packetBytes)
    if (packet.length === first.length) line.waiting.shift()
    else line.waiting[0] = first.subarray(packetBytes)
    budgetBytes -= packet.length
    later(line.client, packet)
    if (waitingBytes(line) < mostWaitingBytes) line.server.resume()
  }

  const timer = setInterval(() => {
    const nowMs = performance.now()
    budgetBytes += (nowMs - lastMs) * bytesPerMs
    lastMs = nowMs
    let busy = [...lines].filter(({ waiting }) => waiting.length > 0)
    while (busy.length > 0 && budgetBytes > 0) {
      for (const line of busy) if (budgetBytes > 0) takeTurn(line)
      busy = busy.filter(({ waiting }) => waiting.length > 0)
    }
    // A line that is not used saves nothing up.
    if (busy.length === 0) budgetBytes = Math.min(budgetBytes, 0)
    else lines.add(turned(lines))
  }, tickMs)

  const relay = createServer((client) => {
    const server = connect(serverPort, '127.0.0.1')
    const line: Line = { client, server, waiting: [] }
    lines.add(line)
    const end = (): void => {
      lines.delete(line)
      client.destroy()
      server.destroy()
    }
    for (const socket of [client, server]) socket.setNoDelay(true).on('error', end).on('close', end)
    client.on('data', (data: Buffer) => later(server, data))
    server.on('data', (data: Buffer) => {
      line.waiting.push(data)
      if (waitingBytes(line) >= mostWaitingBytes) server.pause()
    })
  }).listen(0, '127.0.0.1')
  await once(relay, 'listening')
  return {
    port: (relay.address() as AddressInfo).port,
    setRate: (rate) => {
      bytesPerMs = rate / 8_000
    },
    close: async () => {
      clearInterval(timer)
      for (const { client, server } of lines) {
        client.destroy()
        server.destroy()
      }
      relay.close()
      await once(relay, 'close')
    },
  }
}

const waitingBytes = ({ waiting }: Line): number => waiting.reduce((sum, { length }) => sum + length, 0)

/** Moves the first line to the end, so that the next one begins the next turn. */
const turned = (lines: Set<Line>): Line => {
  const [first] = lines
  if (first === undefined) throw new RangeError('There is no line.')
  lines.delete(first)
  return first
}
