import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { once } from 'node:events'
import type { WebhookRequest } from '@zoetrope/webhook-signature'

/** Timeout of a real delivery. */
const timeoutMs = 15_000

export interface PostResult {
  readonly status: number | null
  readonly error: string | null
  readonly durationMs: number
}

const reasonOf = (error: NodeJS.ErrnoException): string =>
  error.name === 'TimeoutError' || error.name === 'AbortError'
    ? `no response within ${timeoutMs / 1000} s`
    : (error.code ?? error.message)

/** Sends the request once without following redirects. It does not use fetch, which adds headers. */
export const postRequest = async ({ url, headers, body }: WebhookRequest): Promise<PostResult> => {
  const startedMs = performance.now()
  const elapsedMs = () => Math.round(performance.now() - startedMs)
  try {
    const send = url.startsWith('https:') ? requestHttps : requestHttp
    const outgoing = send(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': body.length },
      // The receiver could close a kept-alive connection just as the next event is sent.
      agent: false,
      signal: AbortSignal.timeout(timeoutMs),
    })
    outgoing.end(body)
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage]
    // As in a real delivery, a truncated or endless body does not invalidate the status.
    outgoing.on('error', () => {})
    answer.on('error', () => {})
    answer.resume()
    return { status: answer.statusCode ?? null, error: null, durationMs: elapsedMs() }
  } catch (error) {
    return { status: null, error: reasonOf(error as NodeJS.ErrnoException), durationMs: elapsedMs() }
  }
}
