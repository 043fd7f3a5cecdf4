import { request } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'

export interface Message {
  readonly id: number
  readonly event: string
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly data: any
}

export interface OpenStream {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly next: () => Promise<Message>
  readonly nextComment: () => Promise<string>
  /** Resolves when the server ends the stream, cleanly or by closing the connection. */
  readonly ended: Promise<'in order' | 'cut off'>
  readonly pause: () => void
  readonly resume: () => void
  readonly close: () => void
}

const parse = (block: string): Message => {
  const fields = new Map(
    block.split('\n').map((line): [string, string] => {
      const at = line.indexOf(': ')
      return [line.slice(0, at), line.slice(at + 2)]
    }),
  )
  return {
    id: Number(fields.get('id')),
    event: fields.get('event') ?? '',
    data: JSON.parse(fields.get('data') ?? 'null'),
  }
}

const createQueue = <T>() => {
  const items: T[] = []
  const waiting: { resolve: (item: T) => void; reject: (error: Error) => void }[] = []
  let failure: Error | null = null
  return {
    push: (item: T) => {
      const first = waiting.shift()
      if (first === undefined) items.push(item)
      else first.resolve(item)
    },
    fail: (error: Error) => {
      failure = error
      for (const one of waiting.splice(0)) one.reject(error)
    },
    next: (): Promise<T> => {
      const item = items.shift()
      if (item !== undefined) return Promise.resolve(item)
      if (failure !== null) return Promise.reject(failure)
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }))
    },
  }
}

/** Reads server-sent events (HTML standard, section 9.2); resolves with the head of the answer. */
export const readStream = (
  url: string,
  options: { readonly apiKey: string; readonly lastEventId?: number | string },
): Promise<OpenStream> =>
  new Promise((resolve, reject) => {
    const sent = request(url, {
      agent: false,
      headers: {
        Accept: 'text/event-stream',
        Authorization: `Bearer ${options.apiKey}`,
        ...(options.lastEventId === undefined ? {} : { 'Last-Event-ID': String(options.lastEventId) }),
      },
    })
    sent.once('error', reject)
    sent.once('response', (response) => {
      const messages = createQueue<Message>()
      const comments = createQueue<string>()
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
        for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
          const block = text.slice(0, end)
          text = text.slice(end + 2)
          if (block.startsWith(':')) comments.push(block)
          else if (block.startsWith('id:')) messages.push(parse(block))
        }
      })
      const ended = new Promise<'in order' | 'cut off'>((settle) => {
        response.once('close', () => settle(response.complete ? 'in order' : 'cut off'))
      })
      response.on('error', () => {})
      sent.on('error', () => {})
      void ended.then(() => {
        messages.fail(new Error('the stream has ended'))
        comments.fail(new Error('the stream has ended'))
      })
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        next: messages.next,
        nextComment: comments.next,
        ended,
        pause: () => {
          response.pause()
        },
        resume: () => {
          response.resume()
        },
        close: () => {
          sent.destroy()
        },
      })
    })
    sent.end()
  })
