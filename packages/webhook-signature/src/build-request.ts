import { sign } from './sign.ts'

export interface RequestInput {
  readonly targetUrl: string
  /** Goes behind the query that the target has; null ones are left out. */
  readonly query: Readonly<Record<string, string | number | null>>
  /** The same over all attempts to deliver one event. */
  readonly id: string
  readonly body: Buffer
  /** While a secret is rotated: the new one and the old. */
  readonly secrets: readonly string[]
  /** Of the owner's choice; those that the sender sets go before them. */
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

/** One attempt as it goes over the wire, signed by the Standard Webhooks convention. */
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
