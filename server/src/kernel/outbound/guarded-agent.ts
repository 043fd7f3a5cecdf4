import { Agent } from 'undici'
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
  /** For the first byte of the answer. */
  readonly answerTimeoutMs: number
  /** Between two bytes of the body. */
  readonly stallTimeoutMs: number
  readonly signal: AbortSignal
}

export interface OutboundStream {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** As it was sent, whatever its encoding; throws OutboundError when it breaks off. */
  readonly body: AsyncIterable<Buffer>
  /** Lets go of a body that nobody reads to its end. */
  readonly discard: () => void
}

export interface GuardedAgent {
  /** The same for an answer of any length, read as it comes. */
  readonly download: (url: string, request: OutboundDownload) => Promise<OutboundStream>
  /** The answer whatever its status; redirects are answers, never followed. Throws OutboundError when there is none. */
  readonly request: (url: string, request: OutboundRequest) => Promise<OutboundAnswer>
  /** Ends all requests that are under way. */
  readonly close: () => Promise<void>
}

const idleConnectionMs = 4_000

/** The one way out for requests whose target a stranger chose (design.md section 7). Throws TypeError on a malformed CIDR. */
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
    const issue = policy.urlIssue(url ?? target)
    if (issue !== null || url === null) throw new OutboundError('blocked', `The URL ${issue}.`)
    return url
  }

  return {
    download: async (target, { headers, answerTimeoutMs, stallTimeoutMs, signal }) => {
      const url = checkedUrl(target)
      const explain = (error: unknown): unknown => {
        if (error instanceof OutboundError) return error
        return signal.aborted
          ? new OutboundError('aborted', 'The request was ended by us.')
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
