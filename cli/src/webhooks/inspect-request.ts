import type { IncomingMessage } from 'node:http'
import { verify, WebhookSignatureError } from '@zoetrope/webhook-signature'
import type { ApiRecord } from '../output/output.ts'

/** Larger than the body of any webhook. */
const maxBodyBytes = 4_194_304

const readBody = async (request: IncomingMessage): Promise<Buffer> => {
  const parts: Buffer[] = []
  let sizeBytes = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    sizeBytes += part.length
    if (sizeBytes > maxBodyBytes) throw new Error(`the body has more than ${maxBodyBytes} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

const checkSignature = (
  headers: IncomingMessage['headers'],
  body: Buffer,
  secret: string | undefined,
): string => {
  if (secret === undefined) return 'not checked'
  try {
    const { timestampSeconds } = verify({ headers, body, secrets: [secret] })
    return `ok, signed ${Math.floor(Date.now() / 1000) - timestampSeconds} s ago`
  } catch (error) {
    if (error instanceof WebhookSignatureError) return `WRONG (${error.code}): ${error.message}`
    throw error
  }
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const eventLines = (body: unknown): string[] =>
  Array.isArray(body)
    ? body
        .filter((one) => typeof one === 'object' && one !== null && 'Event' in one)
        .map((one: ApiRecord) => `event: ${String(one['Event'])} #${String(one['EventId'])}`)
    : []

/** Throws when the body is incomplete or larger than that of any webhook. */
export const inspectRequest = async (
  request: IncomingMessage,
  secret: string | undefined,
): Promise<{ readonly record: ApiRecord; readonly text: string }> => {
  const { method, url, headers } = request
  const bytes = await readBody(request)
  const signature = checkSignature(headers, bytes, secret)
  const bodyText = bytes.toString('utf8')
  const body = parse(bodyText)
  return {
    record: { Method: method, URL: url, Signature: signature, Headers: headers, Body: body ?? bodyText },
    text: [
      `${method} ${url}`,
      `signature: ${signature}`,
      ...eventLines(body),
      ...Object.entries(headers).map(([name, value]) => `  ${name}: ${String(value)}`),
      body === null ? bodyText : JSON.stringify(body, null, 2),
    ].join('\n'),
  }
}
