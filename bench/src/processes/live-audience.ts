import { connect } from 'node:net'
import { sharedClockMs } from '../content/shared-clock.ts'
import { readOptions, report } from './child-side.ts'

export interface LiveAudienceOptions {
  readonly port: number
  readonly playoutId: string
  readonly viewers: number
  readonly seconds: number
}

export interface LiveAudienceResult {
  readonly requests: number
  readonly tracks: number
  /** Times at which each viewer received each complete video part, by the clock of the machine. */
  readonly arrivals: Readonly<Record<string, readonly number[]>>
}

const { port, playoutId, viewers, seconds } = readOptions() as LiveAudienceOptions
const arrivals: Record<string, number[]> = {}
const trackNames = new Set<string>()
let requests = 0
let isCounting = false

type Load = (path: string, onBody: (tail: string) => void) => void

/** The tail of a media playlist with the preload hint; a multivariant playlist is shorter. */
const tailBytes = 800

/**
 * A keep-alive connection with one request at a time and a queue. Responses are parsed by hand, because the
 * cost of the viewers is not measured.
 */
const openConnection = (): Load => {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  const waiting: { readonly path: string; readonly onBody: (tail: string) => void }[] = []
  let head = ''
  let missingBytes = -1
  let tail = ''
  const send = (): void => {
    const [first] = waiting
    if (first !== undefined)
      socket.write(`GET /l/${playoutId}/${first.path} HTTP/1.1\r\nHost: live\r\nUser-Agent: bench\r\n\r\n`)
  }
  socket.on('error', (error) => {
    throw error
  })
  socket.on('data', (chunk: Buffer) => {
    let body = chunk
    if (missingBytes < 0) {
      head += chunk.toString('latin1')
      const headEnd = head.indexOf('\r\n\r\n')
      if (headEnd === -1) return
      if (!head.startsWith('HTTP/1.1 200 ')) throw new Error(`${waiting[0]?.path}: ${head.slice(0, 300)}`)
      missingBytes = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1])
      body = chunk.subarray(chunk.length - (head.length - headEnd - 4))
      tail = ''
    }
    missingBytes -= body.length
    tail = (tail + body.toString('latin1', Math.max(0, body.length - tailBytes))).slice(-tailBytes)
    if (missingBytes > 0) return
    missingBytes = -1
    head = ''
    if (isCounting) requests += 1
    const answered = waiting.shift()
    send()
    answered?.onBody(tail)
  })
  return (path, onBody) => {
    waiting.push({ path, onBody })
    if (waiting.length === 1) send()
  }
}

/**
 * Follows a playlist like hls.js: requests the playlist with the next part, and loads each listed part while
 * it requests the one after.
 */
const watch = (track: string, playlists: Load): void => {
  trackNames.add(track)
  const parts = openConnection()
  const follow = (tail: string): void => {
    const [, part = '', number, index] =
      /PRELOAD-HINT:TYPE=PART,URI="((\d+)[-\d]*\.(\d+)\.m4s)"/.exec(tail) ?? []
    if (number === undefined) throw new Error(`no hint in ${tail}`)
    playlists(`${track}/live.m3u8?_HLS_msn=${number}&_HLS_part=${index}`, (after) => {
      parts(`${track}/${part}`, () => {
        if (isCounting && track !== 'audio') (arrivals[part] ??= []).push(sharedClockMs())
      })
      follow(after)
    })
  }
  playlists(`${track}/live.m3u8`, follow)
}

/** Follows all tracks of the multivariant playlist: one muxed track, or two. */
const begin = (): void => {
  const first = openConnection()
  first('ll.m3u8', (multivariant) => {
    const tracks = [...multivariant.matchAll(/(\w+)\/live\.m3u8/g)].map(([, track = '']) => track)
    tracks.forEach((track, index) => watch(track, index === 0 ? first : openConnection()))
  })
}

const comingMs = 2_000
for (let viewer = 0; viewer < viewers; viewer += 1) setTimeout(begin, (viewer / viewers) * comingMs)
setTimeout(() => {
  isCounting = true
  report({})
}, comingMs * 1.5)
setTimeout(
  () => report({ requests, arrivals, tracks: trackNames.size } satisfies LiveAudienceResult),
  comingMs * 1.5 + seconds * 1_000,
)
