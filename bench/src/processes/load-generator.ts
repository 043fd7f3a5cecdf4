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
let next = 0
let endMs = Infinity

const fail = (reason: string): never => {
  throw new Error(`The load generator met ${reason}.`)
}

/**
 * A keep-alive connection with one request at a time. Responses are parsed by hand: the generator must cost
 * less than the fastest server, or it would measure itself.
 */
const startConnection = (): void => {
  const socket: Socket = connect({ port: options.port, host: '127.0.0.1', noDelay: true })
  let head: Buffer | null = null
  let missingBytes = 0
  let sentMs = 0
  const send = (): void => {
    if (performance.now() >= endMs) return
    head = Buffer.alloc(0)
    sentMs = performance.now()
    socket.write(requests[next++ % requests.length] ?? fail('no path'))
  }
  const finish = (): void => {
    const nowMs = performance.now()
    if (nowMs < endMs) latenciesMs.push(nowMs - sentMs)
    if (options.pauseMs === undefined) send()
    else setTimeout(send, options.pauseMs)
  }
  socket.on('connect', send)
  socket.on('error', (error) => fail(error.message))
  socket.on('close', () => {
    if (performance.now() < endMs) fail('a closed connection')
  })
  socket.on('data', (chunk: Buffer) => {
    if (head !== null) {
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk])
      const headEnd = head.indexOf('\r\n\r\n')
      if (headEnd === -1) return
      const text = head.toString('latin1', 0, headEnd)
      if (!text.startsWith('HTTP/1.1 200 ')) fail(text.slice(0, 100))
      const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? fail('an answer without a length')
      missingBytes = Number(length) - (head.length - headEnd - 4)
      head = null
    } else missingBytes -= chunk.length
    if (missingBytes === 0) finish()
  })
}

const startedMs = performance.now()
endMs = startedMs + options.seconds * 1000
for (let index = 0; index < options.connections; index += 1) startConnection()
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
}, options.seconds * 1000)
