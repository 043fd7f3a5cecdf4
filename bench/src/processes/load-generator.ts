import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { readOptions, report } from './child-side.ts'

export interface LoadOptions {
  readonly port: number
  /** JSON file with a list of paths, which are requested in turn. */
  readonly pathsPath: string
  readonly headers: Readonly<Record<string, string>>
  readonly connections: number
  readonly seconds: number
  /** Pause of a connection between two requests. Default: none. */
  readonly pauseMs?: number
  /**
   * Sends at this rate, however fast the responses come, and measures latencies from the time at which a request
   * was due. Requests of the first second do not count: while this program warms up, they pile up. Default: each
   * connection sends when its response has come.
   */
  readonly requestsPerSecond?: number
}

export interface LoadResult {
  readonly requests: number
  readonly requestsPerSecond: number
  readonly p50Ms: number
  readonly p95Ms: number
  readonly p99Ms: number
}

const options = readOptions() as LoadOptions
const headerLines = Object.entries(options.headers).map(([name, value]) => `${name}: ${value}\r\n`)
const paths = JSON.parse(readFileSync(options.pathsPath, 'utf8')) as string[]
const requests = paths.map((path) =>
  Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${options.port}\r\n${headerLines.join('')}\r\n`),
)
const latenciesMs: number[] = []
/** All connections read into it in turn: chunks of their own of 64 KiB would cost more than nginx. */
const readBuffer = Buffer.alloc(256 * 1024)
let next = 0
let warmMs = 0
let endMs = Infinity
/** With a rate: connections without a request, and when the requests were due that wait for one. */
const idle: ((dueMs: number) => void)[] = []
const due: number[] = []

const fail = (reason: string): never => {
  throw new Error(`The load generator met ${reason}.`)
}

/**
 * A keep-alive connection with one request at a time. Responses are parsed by hand: the generator must cost
 * less than the fastest server, or it would measure itself.
 */
const startConnection = (): void => {
  const socket: Socket = connect({
    port: options.port,
    host: '127.0.0.1',
    noDelay: true,
    onread: {
      buffer: readBuffer,
      callback: (length, buffer) => {
        take((buffer as Buffer).subarray(0, length))
        return true
      },
    },
  })
  let head: Buffer | null = null
  let missingBytes = 0
  let sentMs = 0
  const send = (dueMs: number): void => {
    if (performance.now() >= endMs) return
    head = Buffer.alloc(0)
    sentMs = dueMs
    socket.write(requests[next++ % requests.length] ?? fail('no path'))
  }
  const sendNext = (): void => {
    if (options.requestsPerSecond === undefined) return send(performance.now())
    const dueMs = due.shift()
    if (dueMs === undefined) idle.push(send)
    else send(dueMs)
  }
  const finish = (): void => {
    const nowMs = performance.now()
    if (sentMs >= warmMs && nowMs < endMs) latenciesMs.push(nowMs - sentMs)
    if (options.pauseMs === undefined) sendNext()
    else setTimeout(sendNext, options.pauseMs)
  }
  socket.on('connect', sendNext)
  socket.on('error', (error) => fail(error.message))
  socket.on('close', () => {
    if (performance.now() < endMs) fail('a closed connection')
  })
  const take = (chunk: Buffer): void => {
    if (head !== null) {
      const received = head.length === 0 ? chunk : Buffer.concat([head, chunk])
      const headEnd = received.indexOf('\r\n\r\n')
      if (headEnd === -1) {
        head = Buffer.from(received)
        return
      }
      const text = received.toString('latin1', 0, headEnd)
      if (!text.startsWith('HTTP/1.1 200 ')) fail(text.slice(0, 100))
      const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? fail('an answer without a length')
      missingBytes = Number(length) - (received.length - headEnd - 4)
      head = null
    } else missingBytes -= chunk.length
    if (missingBytes === 0) finish()
  }
}

const startedMs = performance.now()
warmMs = startedMs + (options.requestsPerSecond === undefined ? 0 : 1_000)
endMs = warmMs + options.seconds * 1000
for (let index = 0; index < options.connections; index += 1) startConnection()

/** Timers are too coarse for thousands of requests a second: each one sends what has become due. */
const sendAtRate = (requestsPerSecond: number): void => {
  let count = 0
  setInterval(() => {
    const elapsedMs = Math.min(performance.now(), endMs) - startedMs
    for (; (count * 1000) / requestsPerSecond <= elapsedMs; count += 1) {
      const dueMs = startedMs + (count * 1000) / requestsPerSecond
      const send = idle.pop()
      if (send === undefined) due.push(dueMs)
      else send(dueMs)
    }
  }, 1)
}
if (options.requestsPerSecond !== undefined) sendAtRate(options.requestsPerSecond)
setTimeout(() => {
  const sorted = latenciesMs.sort((a, b) => a - b)
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN
  const result: LoadResult = {
    requests: sorted.length,
    requestsPerSecond: sorted.length / options.seconds,
    p50Ms: at(0.5),
    p95Ms: at(0.95),
    p99Ms: at(0.99),
  }
  report(result)
}, endMs - startedMs)
