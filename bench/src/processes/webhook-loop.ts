import { createHash, createHmac, createPrivateKey, sign } from 'node:crypto'
import { Agent } from 'undici'
import { readOptions, report } from './child-side.ts'

export interface LoopOptions {
  readonly origin: string
  readonly path: string
  readonly body: string
  readonly count: number
  readonly inFlight: number
  /** Also signs a JWT for each request, as for an identity provider. PEM of a P-256 key. */
  readonly privateKey: string | null
}

const options = readOptions() as LoopOptions
const agent = new Agent({ connections: options.inFlight, pipelining: 1 })
const key = options.privateKey === null ? null : createPrivateKey(options.privateKey)
const secret = Buffer.alloc(32, 7)
const accessToken = 'x'.repeat(600)
const tokenHash = createHash('sha256').update(accessToken).digest('base64url')
const body = Buffer.from(options.body)
let next = 0

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** The minimum for a sender of signed webhooks: an HMAC over each body, without storage. */
const headersOf = (index: number): Record<string, string> => {
  const id = `evt_${index}_1`
  const timestamp = Math.floor(Date.now() / 1000)
  const hmac = createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body).digest('base64')
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${hmac}`,
  }
  if (key === null) return headers
  const signed = `${encode({ alg: 'ES256', typ: 'webhook+jwt', kid: 'bench' })}.${encode({
    iss: 'https://bench.example',
    aud: options.origin,
    jti: id,
    iat: timestamp,
    exp: timestamp + 300,
    htm: 'POST',
    htu: options.origin + options.path,
    bh: createHash('sha256').update(body).digest('base64url'),
    ath: tokenHash,
  })}`
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' })
  return {
    ...headers,
    authorization: `Bearer ${accessToken}`,
    'webhook-identity': `${signed}.${signature.toString('base64url')}`,
  }
}

const sendInTurn = async (): Promise<void> => {
  while (next < options.count) {
    const index = (next += 1)
    const { statusCode, body: answer } = await agent.request({
      origin: options.origin,
      path: options.path,
      method: 'POST',
      headers: headersOf(index),
      body,
    })
    await answer.dump()
    if (statusCode !== 204) throw new Error(`The sink answered ${statusCode}.`)
  }
}

await Promise.all(Array.from({ length: options.inFlight }, sendInTurn))
report({})
