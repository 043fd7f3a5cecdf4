import { messageOf } from '@zoetrope/vocabulary'
import { newMessage } from '../../../platform/base/message.ts'
import type { OutboundAnswer } from '../../../platform/outbound/await-answer.ts'
import type { GuardedAgent, OutboundRequest } from '../../../platform/outbound/guarded-agent.ts'
import { OutboundError } from '../../../platform/outbound/outbound-error.ts'
import { ProviderFailure, type ProviderStep } from './provider-failure.ts'

export type JsonObject = Readonly<Record<string, unknown>>

export interface ProviderAnswer {
  readonly status: number
  /** Null when the body is not a JSON object. */
  readonly json: JsonObject | null
}

const maxBytes = 262_144
const timeoutMs = 10_000

const parseObject = (text: string): JsonObject | null => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null
  } catch {
    return null
  }
}

type ProviderRequest = Pick<OutboundRequest, 'method' | 'headers' | 'body' | 'signal'>

/**
 * Sends a request to the identity provider with limits on size and time. Throws ProviderFailure when there is
 * no answer.
 */
export const requestText = async (
  agent: GuardedAgent,
  step: ProviderStep,
  url: string,
  request: ProviderRequest,
): Promise<OutboundAnswer> => {
  try {
    const answer = await agent.request(url, {
      ...request,
      headers: { accept: 'application/json', 'user-agent': 'Zoetrope', ...request.headers },
      timeoutMs,
      maxResponseBytes: maxBytes,
    })
    if (Buffer.byteLength(answer.bodyExcerpt) >= maxBytes)
      throw new ProviderFailure('refused', step, newMessage('provider_answer_too_large', { url }))
    return answer
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    const kind = error.code === 'blocked' ? 'refused' : 'unreachable'
    throw new ProviderFailure(
      kind,
      step,
      newMessage('provider_not_reached', { url, cause: messageOf(error) }),
    )
  }
}

export const requestJson = async (
  agent: GuardedAgent,
  step: ProviderStep,
  url: string,
  request: ProviderRequest,
): Promise<ProviderAnswer> => {
  const { status, bodyExcerpt } = await requestText(agent, step, url, request)
  return { status, json: parseObject(bodyExcerpt) }
}

/** Fetches a public document of a provider. Throws ProviderFailure. */
export const getDocument = async (
  agent: GuardedAgent,
  step: ProviderStep,
  url: string,
): Promise<JsonObject> => {
  const { status, json } = await requestJson(agent, step, url, { method: 'GET', headers: {}, body: null })
  if (status !== 200) {
    const kind = status >= 500 || status === 429 ? 'unreachable' : 'refused'
    throw new ProviderFailure(kind, step, newMessage('provider_answered', { url, status }))
  }
  if (json === null)
    throw new ProviderFailure('refused', step, newMessage('provider_answer_not_json', { url }))
  return json
}
