import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

export interface SourceServer {
  readonly url: string
  readonly requests: IncomingMessage[]
  readonly serve: (path: string, answer: Answer) => string
  readonly close: () => Promise<void>
}

/** Starts a local media server that answers 404 to unknown paths. */
export const startSourceServer = async (): Promise<SourceServer> => {
  const answers = new Map<string, Answer>()
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    const answer = answers.get(request.url?.split('?', 1)[0] ?? '')
    if (answer === undefined) response.writeHead(404).end('not here')
    else answer(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    requests,
    serve: (path, answer) => {
      answers.set(path, answer)
      return url + path
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

interface StaticSource {
  readonly bytes: Buffer
  /** Null omits the header. */
  readonly etag?: string | null
  /** Expected value of If-Range; defaults to the etag. */
  readonly validator?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Each response ends after this many bytes, one entry per response; later ones are complete. */
  readonly cuts?: readonly number[]
  readonly takesRanges?: boolean
}

/** Answers like a correct web server (RFC 9110 14): ranges, If-Range, 416. Its connections may break. */
export const staticSource = ({
  bytes,
  etag = '"v1"',
  validator,
  headers = {},
  cuts = [],
  takesRanges = true,
}: StaticSource): Answer => {
  const left = [...cuts]
  return (request, response) => {
    const asked = /^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1]
    const isSame = request.headers['if-range'] === (validator ?? etag)
    const first = takesRanges && asked !== undefined && isSame ? Number(asked) : 0
    const tag = etag === null ? {} : { ETag: etag }
    if (first >= bytes.length && first > 0) {
      response.writeHead(416, { 'Content-Range': `bytes */${bytes.length}` }).end()
      return
    }
    const rest = bytes.subarray(first)
    response.writeHead(first === 0 ? 200 : 206, {
      'Content-Length': rest.length,
      ...(first === 0 ? {} : { 'Content-Range': `bytes ${first}-${bytes.length - 1}/${bytes.length}` }),
      ...tag,
      ...headers,
    })
    const cut = left.shift()
    if (cut === undefined) response.end(rest)
    else response.write(rest.subarray(0, cut), () => response.destroy())
  }
}
