import { Agent, request } from 'undici'
import type { Operation } from '../support/openapi-document.ts'
import type { Answer } from '../support/test-server.ts'
import type { FuzzRequest } from './arbitrary-request.ts'
import { fillPath, type PathIds } from './record-pool.ts'

/** Far longer than any response takes, even on a busy machine. */
const deadlineMs = 15_000

const agent = new Agent({ connections: 8, headersTimeout: deadlineMs, bodyTimeout: deadlineMs })

export const pathOf = (operation: Operation, ids: PathIds, fuzz: FuzzRequest): string => {
  const path = fillPath(operation.path, { ...ids, ...fuzz.hostileIds })
  // Ill-formed Unicode cannot be encoded in a URL.
  const encode = (text: string): string => encodeURIComponent(text.toWellFormed())
  const query = fuzz.query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')
  return query === '' ? path : `${path}?${query}`
}

const toHeaders = (headers: Record<string, string | string[] | undefined>): Headers =>
  new Headers(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as [string, string]],
    ),
  )

/** Throws when no response arrives before the deadline. */
export const sendRequest = async (
  target: { readonly url: string; readonly apiKey: string },
  method: string,
  path: string,
  { headers, body }: Pick<FuzzRequest, 'headers' | 'body'>,
): Promise<Answer> => {
  const answer = await request(`${target.url}${path}`, {
    dispatcher: agent,
    method: method as 'GET',
    headers: {
      authorization: `Bearer ${target.apiKey}`,
      ...(body === null ? {} : { 'content-type': body.type }),
      ...headers,
    },
    body: body === null ? null : body.bytes,
    signal: AbortSignal.timeout(deadlineMs),
  })
  const type = String(answer.headers['content-type'] ?? '')
  const result = { status: answer.statusCode, headers: toHeaders(answer.headers) }
  const isFollowed = type.startsWith('application/x-ndjson') && /[?&]follow=/.test(path)
  if (type.startsWith('text/event-stream') || isFollowed) {
    // Such a stream never ends.
    answer.body.on('error', () => {}).destroy()
    return { ...result, body: '' }
  }
  const text = await answer.body.text()
  return { ...result, body: /[/+]json\b/.test(type) && text !== '' ? JSON.parse(text) : text }
}

export const closeConnections = (): Promise<void> => agent.destroy()
