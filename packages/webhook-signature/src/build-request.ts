import { sign } from './sign.ts'

export interface RequestInput {
  readonly targetUrl: string
  /** Appended to the query of the target URL; null values are omitted. */
  readonly query: Readonly<Record<string, string | number | null>>
  /** Constant across all delivery attempts of one event. */
  readonly id: string
  readonly body: Buffer
  /** Holds the new and the old secret while a secret is rotated. */
  readonly secrets: readonly string[]
  /** Chosen by the webhook owner. The headers set by the sender override them. */
  readonly customHeaders?: Readonly<Record<string, string>>
  readonly now: Date
}

export interface WebhookRequest {
  readonly url: string
  readonly headers: Record<string, string>
  readonly body: Buffer
}

const withQuery = (targetUrl: string, query: RequestInput['query']): string => {
  const url = new URL(targetUrl)
  const added = Object.entries(query)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join('&')
  return `${url.origin}${url.pathname}${url.search === '' ? '?' : `${url.search}&`}${added}`
}

/** Builds the HTTP request of one delivery attempt, signed according to Standard Webhooks. */
export const buildRequest = (input: RequestInput): WebhookRequest => {
  const { id, body, secrets } = input
  const timestampSeconds = Math.floor(input.now.getTime() / 1000)
  return {
    url: withQuery(input.targetUrl, input.query),
    body,
    headers: {
      ...input.customHeaders,
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Zoetrope-Webhooks/1',
      'webhook-id': id,
      'webhook-timestamp': String(timestampSeconds),
      'webhook-signature': sign({ id, timestampSeconds, body, secrets }),
    },
  }
}
