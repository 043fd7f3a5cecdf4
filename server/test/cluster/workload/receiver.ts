import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { verify } from '@zoetrope/webhook-signature'
import { network } from '../machines/network.ts'
import type { Journal } from './journal.ts'

export interface PullSources {
  /** Serves these bytes. Returns their URL. */
  readonly add: (name: string, bytes: Buffer) => string
}

export interface Receiver extends PullSources {
  readonly url: string
  readonly setSecret: (secret: string) => void
  readonly stop: () => Promise<void>
}

const port = 9200

const readBody = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** The back end of a customer: receives webhooks, and serves files that the cluster pulls. */
export const startReceiver = async (journal: Journal): Promise<Receiver> => {
  const files = new Map<string, Buffer>()
  let secret = ''

  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readBody(request)
    const headers = request.headers as Record<string, string>
    try {
      verify({ headers, body, secrets: [secret], toleranceSeconds: 3_600 })
    } catch (error) {
      journal.write({
        kind: 'wrong',
        text: `the signature of ${headers['webhook-id']}: ${(error as Error).message}`,
      })
    }
    const [event] = JSON.parse(body.toString())
    const subject = event.File === undefined ? `project ${event.ProjectId}` : `file ${event.File.Id}`
    journal.write({
      kind: 'delivered',
      id: String(headers['webhook-id']),
      event: event.Event,
      subject: event.Live === undefined ? subject : `live ${event.ProjectId}`,
      sequence: event.Sequence,
    })
    response.end('thanks')
  }
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    const bytes = files.get(request.url ?? '')
    if (bytes === undefined) {
      response.writeHead(404).end()
      return
    }
    const from = Number(/^bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0)
    const range = from === 0 ? {} : { 'Content-Range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` }
    response.writeHead(from === 0 ? 200 : 206, {
      ...range,
      'Content-Length': bytes.length - from,
      ETag: `"${request.url}"`,
    })
    response.end(bytes.subarray(from))
  }
  const server = createServer((request, response) => {
    if (request.method === 'POST')
      receive(request, response).catch(() => {
        // The sender was killed in the middle of its request.
        response.destroy()
      })
    else serve(request, response)
  })
  server.listen(port, network.receiver)
  await once(server, 'listening')
  const base = `http://${network.receiver}:${port}`
  return {
    url: `${base}/hook`,
    setSecret: (value) => (secret = value),
    add: (name, bytes) => {
      files.set(`/${name}`, bytes)
      return `${base}/${name}`
    },
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
