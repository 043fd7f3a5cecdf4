import { Webhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { describe, expect, test } from 'vitest'
import { generateSecret, isUsableSecret, sign, verify, WebhookSignatureError } from './index.ts'

const nowSeconds = Math.floor(Date.now() / 1000)
const secret = generateSecret()
const oldSecret = generateSecret()
const message = { id: 'evt_42_7', timestampSeconds: nowSeconds, body: '[{"Event":"file.new"}]' }

type Change = Partial<{ id: string; timestamp: string; signature: string; body: string | Buffer }>

function received(change: Change = {}, secrets = [secret]) {
  return {
    headers: {
      'webhook-id': change.id ?? message.id,
      'webhook-timestamp': change.timestamp ?? String(message.timestampSeconds),
      'webhook-signature': change.signature ?? sign({ ...message, secrets }),
    },
    body: change.body ?? message.body,
  }
}

const libraries = [
  ['standardwebhooks', Webhook],
  ['svix', SvixWebhook],
] as const

const refusedAs = (code: string) => expect.objectContaining({ name: 'WebhookSignatureError', code })

const bodies: [string, string | Buffer][] = [
  ['ASCII', '{"a":1}'],
  ['empty', ''],
  ['unicode', '[{"Title":"Ελληνικά, Ünïcode, 日本語 and 🎬"}]'],
  ['in a buffer', Buffer.from('[{"Title":"🎬"}]')],
  ['long', JSON.stringify('x'.repeat(60_000))],
]

describe.each(bodies)('a body that is %s', (_, body) => {
  test.each(libraries)(
    'signed here is accepted by the %s library, which rejects a longer body',
    (__, Library) => {
      const { headers } = received({ signature: sign({ ...message, body, secrets: [secret] }) })
      const library = new Library(secret)
      expect(() => library.verify(body, headers)).not.toThrow()
      expect(() => library.verify(`${String(body)} `, headers)).toThrow(/signature/)
    },
  )

  test.each(libraries)('signed by the %s library is accepted here', (__, Library) => {
    const signature = new Library(secret).sign(message.id, new Date(nowSeconds * 1000), body)
    const { headers } = received({ signature })
    expect(verify({ headers, body, secrets: [secret] })).toEqual({
      id: 'evt_42_7',
      timestampSeconds: nowSeconds,
    })
  })
})

test('sign covers the raw bytes of a body that is not UTF-8', () => {
  const body = Buffer.from([0xff, 0xfe, 0x00, 0x80])
  const { headers } = received({ signature: sign({ ...message, body, secrets: [secret] }) })
  expect(() => verify({ headers, body, secrets: [secret] })).not.toThrow()
  const other = Buffer.from([0xff, 0xff, 0x00, 0x80])
  expect(() => verify({ headers, body: other, secrets: [secret] })).toThrow(refusedAs('no_match'))
})

test("sign returns the signature of the Standard Webhooks specification's example", () => {
  expect(
    sign({
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestampSeconds: 1_614_265_330,
      body: '{"test": 2432232314}',
      secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    }),
  ).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
})

describe('during secret rotation', () => {
  const { headers, body } = received({}, [secret, oldSecret])

  test.each([
    ['new', secret],
    ['old', oldSecret],
  ])('a receiver that knows only the %s secret accepts the request', (_, known) => {
    expect(() => verify({ headers, body, secrets: [known] })).not.toThrow()
    for (const [, Library] of libraries)
      expect(() => new Library(known).verify(String(body), headers)).not.toThrow()
  })

  test('a receiver that knows both secrets accepts a signature by either', () => {
    for (const signer of [secret, oldSecret])
      expect(() => verify({ ...received({}, [signer]), secrets: [secret, oldSecret] })).not.toThrow()
  })

  test('verify ignores signatures of other versions', () => {
    const signature = `v1a,AAAA v2,BBBB  ${sign({ ...message, secrets: [secret] })}`
    expect(() => verify({ ...received({ signature }), secrets: [secret] })).not.toThrow()
  })
})

const signatureBytes = sign({ ...message, secrets: [secret] }).slice('v1,'.length)

test.each<[string, Change]>([
  ['another id', { id: 'evt_42_8' }],
  ['another time', { timestamp: String(nowSeconds - 1) }],
  ['the same time written otherwise', { timestamp: `0${nowSeconds}` }],
  ['another body', { body: '[{"Event":"file.neW"}]' }],
  ['a body with a line end more', { body: `${message.body}\n` }],
  ['the signature of another secret', { signature: sign({ ...message, secrets: [oldSecret] }) }],
  ['a signature without its version', { signature: signatureBytes }],
  ['a signature of another version', { signature: `v2,${signatureBytes}` }],
  ['half a signature', { signature: `v1,${signatureBytes.slice(0, 20)}` }],
  ['a signature that is not base64', { signature: 'v1,ünïcode' }],
])('verify rejects a request with %s with no_match', (_, change) => {
  expect(() => verify({ ...received(change), secrets: [secret] })).toThrow(refusedAs('no_match'))
})

test('verify rejects signed content moved into the id', () => {
  const body = `${nowSeconds}.rest`
  const signature = sign({ ...message, body, secrets: [secret] })
  const moved = received({ id: `${message.id}.${nowSeconds}`, body: 'rest', signature })
  expect(() => verify({ ...moved, secrets: [secret] })).toThrow(refusedAs('no_match'))
})

test.each([
  [0, undefined],
  [300, undefined],
  [301, 'too_old'],
  [-300, undefined],
  [-301, 'too_new'],
])("a request signed %i s ago by the receiver's clock gives %s", (ageSeconds, code) => {
  const check = () => verify({ ...received(), secrets: [secret], nowSeconds: nowSeconds + ageSeconds })
  if (code) expect(check).toThrow(refusedAs(code))
  else expect(check()).toEqual({ id: 'evt_42_7', timestampSeconds: nowSeconds })
})

test('toleranceSeconds narrows the accepted age', () => {
  const late = { ...received(), secrets: [secret], nowSeconds: nowSeconds + 11 }
  expect(() => verify({ ...late, toleranceSeconds: 10 })).toThrow(refusedAs('too_old'))
  expect(() => verify({ ...late, toleranceSeconds: 11 })).not.toThrow()
})

describe('webhook headers', () => {
  const { headers, body } = received()

  test.each([
    ['of fetch', new Headers(headers)],
    [
      'in another case',
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value])),
    ],
    ['in arrays', Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]))],
  ])('verify reads headers %s', (_, read) => {
    expect(() => verify({ headers: read, body, secrets: [secret] })).not.toThrow()
  })

  test.each(Object.keys(headers))('verify rejects a request without %s with missing_header', (name) => {
    for (const value of ['', undefined, []])
      expect(() => verify({ headers: { ...headers, [name]: value }, body, secrets: [secret] })).toThrow(
        refusedAs('missing_header'),
      )
  })

  test.each(['soon', '1.5', '-1', '1e9', ' 1'])(
    'verify rejects a timestamp of %j with malformed_header',
    (timestamp) => {
      expect(() => verify({ ...received({ timestamp }), secrets: [secret] })).toThrow(
        refusedAs('malformed_header'),
      )
    },
  )
})

describe('webhook secrets', () => {
  test('generateSecret returns 32 random bytes without repeats', () => {
    const secrets = Array.from({ length: 100 }, generateSecret)
    expect(new Set(secrets).size).toBe(100)
    for (const generated of secrets) {
      expect(generated).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
      expect(isUsableSecret(generated)).toBe(true)
    }
  })

  test.each(['correct horse battery', 'pässwörter sind läng', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'])(
    'a typed secret, %j, is used as its UTF-8 bytes',
    (typed) => {
      const { headers, body } = received({}, [typed])
      for (const [, Library] of libraries) {
        const theirs = new Library(Buffer.from(typed), { format: 'raw' })
        expect(() => theirs.verify(String(body), headers)).not.toThrow()
      }
      expect(() => verify({ headers, body, secrets: [typed] })).not.toThrow()
    },
  )

  test.each([
    ['an empty one', ''],
    ['fifteen characters', 'x'.repeat(15)],
    ['a prefix alone', 'whsec_'],
    ['fifteen bytes after the prefix', `whsec_${Buffer.alloc(15).toString('base64')}`],
    ['a prefix before text that is not base64', 'whsec_not base64, but long enough'],
    ['URL-safe base64 after the prefix', `whsec_${Buffer.alloc(33, 0xff).toString('base64url')}`],
  ])('%s is rejected without quoting it in the message', (_, unusable) => {
    expect(isUsableSecret(unusable)).toBe(false)
    for (const act of [
      () => sign({ ...message, secrets: [secret, unusable] }),
      () => verify({ ...received(), secrets: [secret, unusable] }),
    ]) {
      expect(act).toThrow(
        new TypeError('secret 1 is neither whsec_ with the base64 of 16 bytes nor 16 characters'),
      )
    }
  })

  test('sign and verify reject an empty list of secrets', () => {
    expect(() => sign({ ...message, secrets: [] })).toThrow(TypeError)
    expect(() => verify({ ...received(), secrets: [] })).toThrow(TypeError)
  })
})

test.each([
  ['an id with a dot', { ...message, id: 'evt.1' }],
  ['an empty id', { ...message, id: '' }],
  ['an id with a line break', { ...message, id: 'evt_1\r\nx: y' }],
  ['a time with a fraction', { ...message, timestampSeconds: 1.5 }],
  ['a time that is not a number', { ...message, timestampSeconds: NaN }],
])('sign rejects %s', (_, unsignable) => {
  expect(() => sign({ ...unsignable, secrets: [secret] })).toThrow(TypeError)
})

test('verify throws WebhookSignatureError when it rejects a request', () => {
  expect(() => verify({ ...received({ id: 'evt_1' }), secrets: [secret] })).toThrow(WebhookSignatureError)
})
