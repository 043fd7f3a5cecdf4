import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../server/test/support/test-server.ts'
import {
  startWebhookReceiver,
  type Received,
  type WebhookReceiver,
} from '../../../server/test/support/webhook-receiver.ts'
import { WebhookVerificationError, Zoetrope } from '../src/index.ts'

let server: TestServer
let receiver: WebhookReceiver
let zoetrope: Zoetrope
let secret: string
let ping: Received

beforeAll(async () => {
  server = await startTestServer({ withWorker: true })
  receiver = await startWebhookReceiver()
  zoetrope = new Zoetrope({ baseUrl: server.url, apiKey: server.apiKey })
  const webhook = await zoetrope.webhooks.create({ TargetURL: receiver.url, EventTypes: ['*'] })
  secret = webhook.Secret
  await zoetrope.webhooks.test(webhook.Id)
  ping = await receiver.next('webhook.ping')
})

afterAll(async () => {
  await receiver.stop()
  await server.stop()
})

test('unwrap returns the events of a delivery, with headers of node:http or fetch', async () => {
  const [event] = await zoetrope.webhooks.unwrap(ping.body, ping.headers, secret)
  expect(event).toMatchObject({ Event: 'webhook.ping', EventId: expect.any(Number) })
  const headers = new Headers(Object.entries(ping.headers).map(([name, value]) => [name, String(value)]))
  expect(
    await zoetrope.webhooks.unwrap(Buffer.from(ping.body), headers, [
      'whsec_b2xkIHNlY3JldCBvZiBvdXJz',
      secret,
    ]),
  ).toEqual([event])
})

test('unwrap rejects another body, another secret, a missing signature and an old timestamp', async () => {
  const refused = [
    zoetrope.webhooks.unwrap(`${ping.body} `, ping.headers, secret),
    zoetrope.webhooks.unwrap(ping.body, ping.headers, 'whsec_b2xkIHNlY3JldCBvZiBvdXJz'),
    zoetrope.webhooks.unwrap(ping.body, { ...ping.headers, 'webhook-signature': undefined }, secret),
    zoetrope.webhooks.unwrap(ping.body, { ...ping.headers, 'webhook-timestamp': '1700000000' }, secret),
  ]
  for (const one of refused) await expect(one).rejects.toThrow(WebhookVerificationError)
})

test.each([
  ['undefined', undefined],
  ['an empty string', ''],
  ['an empty list', []],
  ['a list with an unset variable', [undefined]],
])('unwrap reports a missing secret when it is %s', async (_, missing) => {
  const unwrapped = zoetrope.webhooks.unwrap(ping.body, ping.headers, missing as unknown as string)
  await expect(unwrapped).rejects.toThrow(
    /^The webhook secret is missing: pass the Secret that webhooks\.create/,
  )
})
