import { Webhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './support/test-server.ts'
import { startWebhookReceiver, type Received, type WebhookReceiver } from './support/webhook-receiver.ts'

let server: TestServer
let receiver: WebhookReceiver

beforeAll(async () => {
  receiver = await startWebhookReceiver()
  server = await startTestServer({ withWorker: true })
})

afterAll(async () => {
  await server.stop()
  await receiver.stop()
})

const path = '/modules/notifications'

const nextPing = async (webhookId: number): Promise<Received> => {
  const { body } = await server.call('POST', `${path}/${webhookId}/test`)
  return receiver.nextWhere(({ event }) => event.EventId === body.EventId)
}

const signatureCount = ({ headers }: Received): number =>
  String(headers['webhook-signature']).split(' ').length

const accepting = ({ headers, body }: Received, secret: string | Buffer): string[] =>
  Object.entries({ standardwebhooks: Webhook, svix: SvixWebhook })
    .filter(([, Library]) => {
      const library =
        typeof secret === 'string' ? new Library(secret) : new Library(secret, { format: 'raw' })
      try {
        library.verify(body, headers as Record<string, string>)
        return true
      } catch {
        return false
      }
    })
    .map(([name]) => name)

const both = ['standardwebhooks', 'svix']

test('during a secret rotation, receivers with the old and the new secret accept deliveries, and no others do', async () => {
  const { body: webhook } = await server.call('POST', path, {
    body: { TargetURL: receiver.url, EventTypes: ['file.new'] },
  })
  const rotate = async (Secret?: string): Promise<string> =>
    (
      await server.call('POST', `${path}/${webhook.Id}/rotatesecret`, {
        body: Secret === undefined ? {} : { Secret },
      })
    ).body.Secret
  const before = await nextPing(webhook.Id)
  expect(signatureCount(before)).toBe(1)
  expect(accepting(before, webhook.Secret)).toEqual(both)

  const second = await rotate()
  const during = await nextPing(webhook.Id)
  expect(signatureCount(during)).toBe(2)
  expect(accepting(during, webhook.Secret)).toEqual(both)
  expect(accepting(during, second)).toEqual(both)

  const typed = 'ein Geheimnis, getippt – ü'
  await rotate(typed)
  const after = await nextPing(webhook.Id)
  expect(accepting(after, Buffer.from(typed))).toEqual(both)
  expect(accepting(after, second)).toEqual(both)
  // At most two secrets are valid at a time.
  expect(accepting(after, webhook.Secret)).toEqual([])
})
