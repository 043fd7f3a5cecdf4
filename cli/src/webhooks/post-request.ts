import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { once } from 'node:events'
import type { WebhookRequest } from '@zoetrope/webhook-signature'

/** As long as a real delivery waits. */
const timeoutMs = 15_000

export interface PostResult {
  readonly status: number | null
  /** Why there is no status. */
  readonly error: string | null
  readonly durationMs: number
}

const reasonOf = (error: NodeJS.ErrnoException): string =>
  error.name === 'TimeoutError' || error.name === 'AbortError'
    ? `no answer within ${timeoutMs / 1000} s`
    : (error.code ?? error.message)

/** Sends the request once and follows no redirect. Not by fetch, which adds headers of its own. */
export const postRequest = async ({ url, headers, body }: WebhookRequest): Promise<PostResult> => {
  const startedMs = performance.now()
  const elapsedMs = () => Math.round(performance.now() - startedMs)
  try {
    const send = url.startsWith('https:') ? requestHttps : requestHttp
    const outgoing = send(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': body.length },
      // A connection that is kept may be closed by the receiver just when the next event is sent.
      agent: false,
      signal: AbortSignal.timeout(timeoutMs),
    })
    outgoing.end(body)
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage]
    // As in a real delivery, a body that breaks off or never ends doesn't undo the status.
    outgoing.on('error', () => {})
    answer.on('error', () => {})
    answer.resume()
    return { status: answer.statusCode ?? null, error: null, durationMs: elapsedMs() }
  } catch (error) {
    return { status: null, error: reasonOf(error as NodeJS.ErrnoException), durationMs: elapsedMs() }
  }
}
