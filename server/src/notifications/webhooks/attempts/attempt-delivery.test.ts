import { describe, expect, it } from 'vitest'
import { newMessage } from '../../../platform/base/message.ts'
import { createLog } from '../../../platform/log/log.ts'
import type { GuardedAgent } from '../../../platform/outbound/guarded-agent.ts'
import { OutboundError } from '../../../platform/outbound/outbound-error.ts'
import { createSecrets } from '../../../platform/base/secrets.ts'
import type { DeliveryIdentity } from '../../../accounts/partners/tokens/delivery-identity.ts'
import { createAttempt } from './attempt-delivery.ts'
import { aDelivery, aWebhook } from '../test-support/prepared-delivery.ts'

const secrets = createSecrets(Buffer.alloc(32, 7)).workers
const sealedSecret = secrets.seal(Buffer.from('a secret of sixteen characters'))
const webhook = () => ({ ...aWebhook, sealedSecret, readAtMs: performance.now() })
const failing = (code: string): GuardedAgent['request'] => {
  const cause = Object.assign(new Error(code), { code })
  return () =>
    Promise.reject(
      new OutboundError('failed', newMessage('host_unreachable', { host: 'hooks.example.com' }), { cause }),
    )
}
const noProof: DeliveryIdentity['proofFor'] = () => Promise.reject(new Error('nobody asked for a proof'))

const attemptWith = (request: GuardedAgent['request'], proofFor = noProof) =>
  createAttempt({
    secrets,
    agent: { request } as GuardedAgent,
    inspect: () => Promise.reject(new Error('nothing is inspected')),
    identity: { proofFor },
    log: createLog({ level: 'silent' }),
    retryDelaysSeconds: [5],
    requestTimeoutMs: 1_000,
    now: () => new Date(),
  })
const never = new AbortController().signal

describe('delivery attempt', () => {
  it('counts a receiver failure and records the target URL', async () => {
    const outcome = await attemptWith(failing('ECONNREFUSED'))(webhook(), aDelivery(1, null), never)
    expect(outcome).toMatchObject({
      targetUrl: 'https://example.com/',
      result: { state: 'waiting', number: 1 },
    })
  })

  it.each(['EMFILE', 'ENFILE'])(
    'pauses the webhook without counting an attempt when this machine runs out of sockets: %s',
    async (code) => {
      expect(await attemptWith(failing(code))(webhook(), aDelivery(1, null), never)).toEqual({
        pauseMs: 1_000,
      })
    },
  )

  it('pauses the webhook without counting an attempt when its secret cannot be decrypted', async () => {
    const unreadable = createSecrets(Buffer.alloc(32, 8)).workers.seal(
      Buffer.from('sealed under another master key'),
    )
    const attempt = attemptWith(failing('ECONNREFUSED'))
    expect(await attempt({ ...webhook(), sealedSecret: unreadable }, aDelivery(1, null), never)).toEqual({
      pauseMs: 1_000,
    })
  })

  it('is not sent with settings that became stale while waiting for the identity provider', async () => {
    const proof = { headers: () => ({}), distrust: () => {} }
    const attempt = attemptWith(failing('ECONNREFUSED'), async () => proof)
    const connected = { ...webhook(), connectionId: 1, connectionVersion: 1 }
    expect(await attempt(connected, aDelivery(1, null), never)).toHaveProperty('result')
    const old = { ...connected, readAtMs: performance.now() - 1_001 }
    expect(await attempt(old, aDelivery(1, null), never)).toEqual({ pauseMs: 0 })
  })

  it('ends when its signal aborts, even while the identity provider does not answer', async () => {
    const abort = new AbortController()
    const attempt = attemptWith(failing('ECONNREFUSED'), () => new Promise(() => {}))
    const connected = { ...webhook(), connectionId: 1, connectionVersion: 1 }
    const outcome = attempt(connected, aDelivery(1, null), abort.signal)
    abort.abort()
    expect(await outcome).toBeNull()
  })
})
