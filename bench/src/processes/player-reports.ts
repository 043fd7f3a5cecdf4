import { randomUUID } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { readOptions, report } from './child-side.ts'

export interface PlayerReportsOptions {
  readonly port: number
  readonly playoutIds: readonly string[]
  /** Viewers, which report in turn. They are the same ones in each run with the same `run`. */
  readonly sessions: number
  readonly run: string
  readonly eventsPerSecond: number
  /** hls.js and dash.js send each event alone. */
  readonly linesPerRequest: number
  readonly seconds: number
}

export interface PlayerReportsResult {
  readonly events: number
  readonly refused: number
  readonly p50Ms: number
  readonly p99Ms: number
}

const options = readOptions() as PlayerReportsOptions
const connections = 64
const sessionsPerAddress = 12
const tickMs = 10
const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

const lineOf = (session: number, ts: number): string =>
  `bl=(9800),br=(3349),cid="file-1",com.zoetrope-pt=${ts % 600_000},e=t,sf=h,sid="${options.run}-${session}",sn=${ts},st=v,sta=p,ts=${ts},v=2`

const addressOf = (session: number): string => {
  const network = Math.floor(session / sessionsPerAddress)
  return `10.${network >> 16}.${(network >> 8) & 255}.${network & 255}`
}

const requestOf = (session: number): string => {
  const nowMs = Date.now()
  const { linesPerRequest, playoutIds } = options
  const body = Array.from({ length: linesPerRequest }, (_, line) =>
    lineOf(session, nowMs - (linesPerRequest - 1 - line) * 100),
  ).join('\n')
  const playoutId = playoutIds[session % playoutIds.length] ?? randomUUID()
  return `POST /v/${playoutId}/cmcd HTTP/1.1\r\nHost: 127.0.0.1:${options.port}\r\nX-Forwarded-For: ${addressOf(session)}\r\nUser-Agent: ${browser}\r\nOrigin: https://www.example.com\r\nContent-Type: application/cmcd\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

const latenciesMs: number[] = []
const idle: Socket[] = []
let waiting = 0
let next = 0
let sent = 0
let refused = 0

const send = (socket: Socket): void => {
  sent += 1
  const startedMs = performance.now()
  let text = ''
  const onData = (chunk: Buffer): void => {
    text += chunk.toString('latin1')
    const end = text.indexOf('\r\n\r\n')
    if (end < 0) return
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0)
    if (text.length < end + 4 + length) return
    socket.off('data', onData)
    latenciesMs.push(performance.now() - startedMs)
    if (!text.startsWith('HTTP/1.1 204 ')) refused += 1
    if (waiting === 0) return void idle.push(socket)
    waiting -= 1
    send(socket)
  }
  socket.on('data', onData)
  socket.write(requestOf(next++ % options.sessions))
}

for (let index = 0; index < connections; index += 1) {
  const socket = connect({ port: options.port, host: '127.0.0.1', noDelay: true })
  socket.on('error', (error) => {
    throw error
  })
  socket.on('connect', () => idle.push(socket))
}

const startedMs = performance.now()
const perSecond = options.eventsPerSecond / options.linesPerRequest
let asked = 0
// An open loop: a slow server does not slow the players down.
const timer = setInterval(() => {
  const due = Math.floor(((performance.now() - startedMs) / 1_000) * perSecond)
  for (; asked < due; asked += 1) {
    const socket = idle.shift()
    if (socket === undefined) waiting += 1
    else send(socket)
  }
}, tickMs)

setTimeout(() => {
  clearInterval(timer)
  const sorted = latenciesMs.sort((one, other) => one - other)
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN
  const result: PlayerReportsResult = {
    events: sent * options.linesPerRequest,
    refused,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
  }
  report(result)
}, options.seconds * 1_000)
