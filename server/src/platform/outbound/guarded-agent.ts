import { messageOf } from '@zoetrope/vocabulary'
import { Agent } from 'undici'
import { newMessage } from '../base/message.ts'
import { invalidSubject } from '../base/problem.ts'
import { awaitAnswer, type AnswerLimits, type OutboundAnswer } from './await-answer.ts'
import { describeFailure } from './describe-failure.ts'
import { createGuardedConnector } from './guarded-connector.ts'
import { OutboundError } from './outbound-error.ts'
import { createOutboundPolicy, type OutboundOptions } from './outbound-policy.ts'
import { createNameResolver, type Resolve } from './resolve-name.ts'

export interface OutboundRequest extends AnswerLimits {
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | string | null
}

export interface OutboundDownload {
  readonly headers: Readonly<Record<string, string>>
  /** Timeout for the first byte of the response. */
  readonly answerTimeoutMs: number
  /** Timeout between two bytes of the body. */
  readonly stallTimeoutMs: number
  readonly signal: AbortSignal
}

export interface OutboundStream {
  readonly status: number
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The body without decoding. Throws OutboundError when it breaks off. */
  readonly body: AsyncIterable<Buffer>
  /** Releases the connection of a body that is not read to its end. */
  readonly discard: () => void
}

export interface GuardedAgent {
  readonly download: (url: string, request: OutboundDownload) => Promise<OutboundStream>
  /**
   * Returns the response whatever its status, and never follows redirects. Throws OutboundError when there is
   * no response.
   */
  readonly request: (url: string, request: OutboundRequest) => Promise<OutboundAnswer>
  readonly close: () => Promise<void>
}

const idleConnectionMs = 4_000

/** Sends all requests to targets that users choose. Throws TypeError for a malformed CIDR. */
export const createGuardedAgent = (
  options: OutboundOptions & { readonly resolve?: Resolve },
): GuardedAgent => {
  const policy = createOutboundPolicy(options)
  const agent = new Agent({
    connect: createGuardedConnector(policy, options.resolve ?? createNameResolver()),
    allowH2: false,
    keepAliveTimeout: idleConnectionMs,
    keepAliveMaxTimeout: 60_000,
  })

  const checkedUrl = (target: string): URL => {
    const url = URL.parse(target)
    const found = policy.urlIssue(url ?? target)
    if (found !== null) throw new OutboundError('blocked', messageOf(invalidSubject('The URL', found)))
    // The policy refuses a text that is not a URL.
    return url as URL
  }

  return {
    download: async (target, { headers, answerTimeoutMs, stallTimeoutMs, signal }) => {
      const url = checkedUrl(target)
      const explain = (error: unknown): unknown => {
        if (error instanceof OutboundError) return error
        return signal.aborted
          ? new OutboundError('aborted', newMessage('request_cancelled'))
          : describeFailure(error, url)
      }
      try {
        const answer = await agent.request({
          origin: url.origin,
          path: url.pathname + url.search,
          method: 'GET',
          headers,
          signal,
          headersTimeout: answerTimeoutMs,
          bodyTimeout: stallTimeoutMs,
        })
        return {
          status: answer.statusCode,
          headers: answer.headers,
          body: explained(answer.body, explain),
          discard: () => {
            answer.body.on('error', () => {}).destroy()
          },
        }
      } catch (error) {
        throw explain(error)
      }
    },
    request: async (target, { method, headers, body, ...limits }) => {
      const url = checkedUrl(target)
      try {
        return await awaitAnswer(
          agent,
          {
            origin: url.origin,
            path: url.pathname + url.search,
            method,
            headers,
            body,
            headersTimeout: 0,
            bodyTimeout: 0,
          },
          limits,
        )
      } catch (error) {
        throw error instanceof OutboundError ? error : describeFailure(error, url)
      }
    },
    close: () => agent.destroy(),
  }
}

async function* explained(
  body: AsyncIterable<Buffer>,
  explain: (error: unknown) => unknown,
): AsyncGenerator<Buffer> {
  try {
    yield* body
  } catch (error) {
    throw explain(error)
  }
}
