import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { messageOf, type Message } from '@zoetrope/vocabulary'
import { OutboundError } from '../../../../platform/outbound/outbound-error.ts'
import { newMessage } from '../../../../platform/base/message.ts'
import { newUrlToken } from '../../../../platform/base/ids.ts'
import type { GuardedAgent, OutboundStream } from '../../../../platform/outbound/guarded-agent.ts'
import { isPlaylist, rewritePlaylist } from './rewrite-playlist.ts'

export interface HlsGateway {
  readonly url: string
  /** URL of the same server as a proxy for all other requests, which it rejects. */
  readonly proxy: string
  readonly failure: () => Message | null
  readonly close: () => Promise<void>
}

const timeouts = { answerTimeoutMs: 10_000, stallTimeoutMs: 10_000 }
const maxRedirects = 5
const longestPlaylistBytes = 2 ** 20
const longestSegmentBytes = 256 * 2 ** 20
const redirects = new Set([301, 302, 303, 307, 308])
const passedHeaders = ['content-length', 'content-range', 'content-type'] as const

/**
 * Loads the playlists and segments of a source through the guarded agent. It rewrites all addresses in
 * playlists to its own, so that ffmpeg never contacts another machine.
 */
export const openHlsGateway = async (source: string, agent: GuardedAgent): Promise<HlsGateway> => {
  const token = newUrlToken()
  const gone = new AbortController()
  let failure: Message | null = null

  const localPath = (url: string): string => {
    const extension = /\.([a-z0-9]{1,5})$/i.exec(URL.parse(url)?.pathname ?? '')?.[1] ?? 'ts'
    return `/${token}/${Buffer.from(url).toString('base64url')}.${extension}`
  }

  const load = async (
    url: string,
    range: string | undefined,
  ): Promise<{ url: string; answer: OutboundStream }> => {
    let at = url
    for (let hops = 0; hops <= maxRedirects; hops++) {
      const headers = { accept: '*/*', ...(range !== undefined && { range }) }
      const answer = await agent.download(at, { headers, ...timeouts, signal: gone.signal })
      const { location } = answer.headers
      if (!redirects.has(answer.status) || typeof location !== 'string') return { url: at, answer }
      answer.discard()
      const next = URL.parse(location, at)
      if (next === null) break
      at = next.href
    }
    throw new Error(`The source redirects more than ${maxRedirects} times.`)
  }

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // A proxy request has an absolute URL; URLs of other servers lack the token.
    const [, key, name = ''] = (request.url ?? '').replace(/^http:\/\/[^/]*/, '').split('/')
    if (key !== token || request.method !== 'GET') return void response.writeHead(404).end()
    const asked = Buffer.from(name.replace(/\..*$/, ''), 'base64url').toString()
    const { url, answer } = await load(asked, request.headers.range)
    if (answer.status !== 200 && answer.status !== 206) {
      answer.discard()
      failure = newMessage('live_source_answered', { status: answer.status })
      return void response.writeHead(answer.status >= 400 ? answer.status : 502).end()
    }
    const body = answer.body[Symbol.asyncIterator]()
    const head = await readHead(body)
    if (isPlaylist(head.toString('latin1', 0, 16))) {
      const text = await readWhole(head, body)
      const rewritten = rewritePlaylist(text, url, localPath)
      response.writeHead(200, { 'content-type': 'application/vnd.apple.mpegurl' }).end(rewritten)
      return
    }
    for (const header of passedHeaders) {
      const value = answer.headers[header]
      if (value !== undefined) response.setHeader(header, value)
    }
    response.writeHead(answer.status)
    await pipeline(limited(head, body), response)
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      failure = failureOf(error)
      if (response.headersSent) response.destroy()
      else response.writeHead(502).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}${localPath(source)}`,
    proxy: `http://127.0.0.1:${port}`,
    failure: () => failure,
    close: async () => {
      gone.abort()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const failureOf = (error: unknown): Message => {
  if (error instanceof OutboundError) return messageOf(error)
  const detail = error instanceof Error ? error.message : 'The source could not be loaded.'
  return newMessage('live_source_failed', { detail })
}

async function* limited(head: Buffer, body: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  let sentBytes = head.length
  try {
    yield head
    for (let next = await body.next(); next.done !== true; next = await body.next()) {
      sentBytes += next.value.length
      if (sentBytes > longestSegmentBytes) throw new Error('A segment of the source is longer than 256 MiB.')
      yield next.value
    }
  } finally {
    await body.return?.()
  }
}

/** Reads enough bytes to detect a playlist, however small the chunks are. */
const readHead = async (body: AsyncIterator<Buffer>): Promise<Buffer> => {
  let head: Buffer = Buffer.alloc(0)
  while (head.length < 16) {
    const next = await body.next()
    if (next.done === true) break
    head = Buffer.concat([head, next.value])
  }
  return head
}

const readWhole = async (head: Buffer, body: AsyncIterator<Buffer>): Promise<string> => {
  const pieces = [head]
  let lengthBytes = head.length
  for (let next = await body.next(); next.done !== true; next = await body.next()) {
    pieces.push(next.value)
    lengthBytes += next.value.length
    if (lengthBytes > longestPlaylistBytes) {
      await body.return?.()
      throw new Error('A playlist of the source is longer than 1 MiB.')
    }
  }
  return Buffer.concat(pieces).toString()
}
