import { buildRequest, generateSecret } from '@zoetrope/webhook-signature'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findProgram } from './support/find-program.ts'
import { guideBlocksOf } from './support/guide-blocks.ts'
import { guideBlocks, guideLanguages, startGuideReceiver } from './support/guide-receiver.ts'

const secret = generateSecret()
const typedSecret = 'correct horse – battery'
const otherSecret = generateSecret()
const text = '[{"Event":"file.new","EventId":17,"File":{"Id":5,"Name":"Ελληνικά – 🎬 \\u0000"}}]'

interface Change {
  readonly secrets?: readonly string[]
  readonly ageSeconds?: number
  readonly body?: string
  readonly headers?: Readonly<Record<string, string | undefined>>
}

const send = async (port: number, change: Change): Promise<number> => {
  const { url, headers, body } = buildRequest({
    targetUrl: `http://127.0.0.1:${port}/hook`,
    query: { ProjectId: 3, FileId: 5, event: 'file.new' },
    id: 'evt_17_2',
    body: Buffer.from(text),
    secrets: change.secrets ?? [secret],
    now: new Date(Date.now() - (change.ageSeconds ?? 0) * 1000),
  })
  const changed = Object.entries({ ...headers, ...change.headers }).filter(([, value]) => value !== undefined)
  const answer = await fetch(url, {
    method: 'POST',
    headers: changed as [string, string][],
    body: change.body ?? body.toString(),
  })
  return answer.status
}

const signatureOf = (key: string): string =>
  buildRequest({
    targetUrl: 'http://127.0.0.1/',
    query: {},
    id: 'evt_17_2',
    body: Buffer.from(text),
    secrets: [key],
    now: new Date(),
  }).headers['webhook-signature'] ?? ''

const genuine: [string, Change][] = [
  ['as it was sent', {}],
  ['signed with the new secret and the old', { secrets: [otherSecret, secret] }],
  ['signed with the old secret and the new', { secrets: [secret, otherSecret] }],
  ['signed four minutes ago', { ageSeconds: 240 }],
]

const forged: [string, Change][] = [
  ['with a tampered body', { body: text.replace('file.new', 'file.neW') }],
  ['with a line end more', { body: `${text}\n` }],
  ['without its body', { body: '' }],
  ['signed with another secret', { secrets: [otherSecret] }],
  ['signed six minutes ago', { ageSeconds: 360 }],
  ['signed six minutes ahead', { ageSeconds: -360 }],
  ['with another id', { headers: { 'webhook-id': 'evt_18_2' } }],
  [
    'with a fresh time that was not signed',
    { ageSeconds: 360, headers: { 'webhook-timestamp': String(Math.floor(Date.now() / 1000)) } },
  ],
  ['without an id', { headers: { 'webhook-id': undefined } }],
  ['without a time', { headers: { 'webhook-timestamp': undefined } }],
  ['with a time that is none', { headers: { 'webhook-timestamp': 'soon' } }],
  ['with a time of many digits', { headers: { 'webhook-timestamp': '9'.repeat(400) } }],
  ['without a signature', { headers: { 'webhook-signature': undefined } }],
  ['with a signature that is none', { headers: { 'webhook-signature': 'v1, v1,%%% nonsense' } }],
  ['with half a signature', { headers: { 'webhook-signature': signatureOf(secret).slice(0, 20) } }],
  [
    'with a signature of another version',
    { headers: { 'webhook-signature': signatureOf(secret).replace('v1,', 'v2,') } },
  ],
]

test('a test runs every program of the guide', async () => {
  const found = (await guideBlocksOf('docs/verify-webhooks.md')).map(({ language }) => language)
  // The first block shows a request. verify-guide-identity.test.ts runs the second Node.js block.
  expect(found).toEqual(['', ...guideLanguages.map(({ name }) => name), 'js'])
})

for (const language of guideLanguages)
  describe.skipIf((await findProgram(language.program)) === null)(
    `The ${language.name} program of the guide`,
    () => {
      let ports: number[] = []
      let receivers: Awaited<ReturnType<typeof startGuideReceiver>>[] = []

      beforeAll(async () => {
        const [code = ''] = await guideBlocks(language)
        receivers = await Promise.all(
          [secret, typedSecret].map((one) => startGuideReceiver(language, code, { WEBHOOK_SECRET: one })),
        )
        ports = receivers.map(({ port }) => port)
      })

      afterAll(() => Promise.all(receivers.map((receiver) => receiver.stop())))

      const statuses = async (
        cases: readonly (readonly [string, Change])[],
      ): Promise<Record<string, number>> => {
        const found: Record<string, number> = {}
        for (const [name, change] of cases) found[name] = await send(ports[0] ?? 0, change)
        return found
      }

      const allOf = (cases: readonly (readonly [string, Change])[], status: number) =>
        Object.fromEntries(cases.map(([name]) => [name, status]))

      test('accepts every genuine request', async () => {
        expect(await statuses(genuine), receivers[0]?.output()).toEqual(allOf(genuine, 204))
      })

      test('rejects every forged request', async () => {
        expect(await statuses(forged), receivers[0]?.output()).toEqual(allOf(forged, 401))
      })

      test('accepts a user-defined secret unchanged', async () => {
        expect(await send(ports[1] ?? 0, { secrets: [typedSecret] })).toBe(204)
        expect(await send(ports[1] ?? 0, {})).toBe(401)
      })
    },
  )
