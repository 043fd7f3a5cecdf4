import { connect } from 'node:net'
import { sharedClockMs } from '../harness/shared-clock.ts'
import { readOptions, report } from './child-side.ts'

export interface LiveAudienceOptions {
  readonly port: number
  readonly playoutId: string
  readonly viewers: number
  readonly seconds: number
}

export interface LiveAudienceResult {
  readonly requests: number
  /** Media playlists that a viewer follows. */
  readonly tracks: number
  /** When each viewer had each part with pictures whole, on the clock of the machine. */
  readonly arrivals: Readonly<Record<string, readonly number[]>>
}

const { port, playoutId, viewers, seconds } = readOptions() as LiveAudienceOptions
const arrivals: Record<string, number[]> = {}
const trackNames = new Set<string>()
let requests = 0
let isCounting = false

type Load = (path: string, onBody: (tail: string) => void) => void

/** Of a media playlist the hint; of a multivariant one all. */
const tailBytes = 800

/**
 * A keep-alive connection with one request under way; the others wait. Answers are read by hand, for the cost of viewers is not what is
 * measured.
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

/** As hls.js does it: asks for the playlist that has the next part, and loads the part when it is listed, while it asks for the one after it. */
const watch = (track: string, playlists: Load): void => {
  trackNames.add(track)
  const parts = openConnection()
  const follow = (tail: string): void => {
    const [, number, index] = /PRELOAD-HINT:TYPE=PART,URI="(\d+)\.(\d+)\.m4s"/.exec(tail) ?? []
    if (number === undefined) throw new Error(`no hint in ${tail}`)
    playlists(`${track}/live.m3u8?_HLS_msn=${number}&_HLS_part=${index}`, (after) => {
      const part = `${number}.${index}.m4s`
      parts(`${track}/${part}`, () => {
        if (isCounting && track !== 'audio') (arrivals[part] ??= []).push(sharedClockMs())
      })
      follow(after)
    })
  }
  playlists(`${track}/live.m3u8`, follow)
}

/** Whatever the multivariant playlist offers: one track with both, or two. */
const begin = (): void => {
  const first = openConnection()
  first('ll.m3u8', (multivariant) => {
    const tracks = [...multivariant.matchAll(/(\w+)\/live\.m3u8/g)].map(([, track = '']) => track)
    tracks.forEach((track, index) => watch(track, index === 0 ? first : openConnection()))
  })
}

/** They come one after the other, not all at once. */
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
