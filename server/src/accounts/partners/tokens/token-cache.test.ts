import { beforeEach, describe, expect, it } from 'vitest'
import { newMessage } from '../../../platform/base/message.ts'
import { ProviderFailure } from '../provider/provider-failure.ts'
import { createTokenCache, type CachedToken, type KeptToken, type TokenCache } from './token-cache.ts'

let nowMs: number
let asked: number
let answer: () => Promise<{ value: string; lifeSeconds: number }>
let outcomes: (string | null)[]
let cache: TokenCache

const newCache = (firstToken: KeptToken | null = null): TokenCache =>
  createTokenCache({
    fetchToken: () => {
      asked += 1
      return answer()
    },
    onOutcome: (failure) => outcomes.push(failure?.kind ?? null),
    firstToken,
    nowMs: () => nowMs,
  })

const failing = (kind: 'refused' | 'unreachable') => async () => {
  throw new ProviderFailure(
    kind,
    'token',
    newMessage('provider_token_not_bearer', { url: 'https://login.example.com/token' }),
  )
}

const valueOf = async (): Promise<string | number> => {
  const obtained = await cache.obtain()
  return 'pauseMs' in obtained ? obtained.pauseMs : obtained.value
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

beforeEach(() => {
  nowMs = 1_000_000
  asked = 0
  outcomes = []
  answer = async () => ({ value: `token ${asked}`, lifeSeconds: 100 })
  cache = newCache()
})

describe('createTokenCache', () => {
  it('requests one token for concurrent callers', async () => {
    expect(await Promise.all(Array.from({ length: 50 }, valueOf))).toEqual(Array(50).fill('token 1'))
    expect(asked).toBe(1)
    expect(await cache.obtain()).toMatchObject({ sha256: expect.stringMatching(/^[\w-]{43}$/) })
  })

  it('refreshes the token in the background after three quarters of its lifetime', async () => {
    await valueOf()
    nowMs += 74_900
    expect(await valueOf()).toBe('token 1')
    await settled()
    expect(asked).toBe(1)
    nowMs += 200
    expect(await valueOf()).toBe('token 1')
    await settled()
    expect(await valueOf()).toBe('token 2')
    expect(asked).toBe(2)
  })

  it('keeps the token until shortly before its expiry while the provider is down', async () => {
    await valueOf()
    answer = failing('unreachable')
    nowMs += 80_000
    expect(await valueOf()).toBe('token 1')
    await settled()
    expect(outcomes).toEqual([null, 'unreachable'])
    nowMs += 14_900
    expect(await valueOf()).toBe('token 1')
    await settled()
    nowMs += 200
    expect(await valueOf()).toBeTypeOf('number')
  })

  it('retries an unreachable provider after 1, 2, 4 … 30 seconds', async () => {
    answer = failing('unreachable')
    const pauses: unknown[] = []
    for (let index = 0; index < 7; index += 1) {
      const pauseMs = await valueOf()
      pauses.push(pauseMs)
      nowMs += Number(pauseMs)
    }
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
    expect(asked).toBe(7)
    answer = async () => ({ value: 'again', lifeSeconds: 100 })
    expect(await valueOf()).toBe('again')
    expect(outcomes.at(-1)).toBe(null)
  })

  it('does not request a token during a pause', async () => {
    answer = failing('unreachable')
    await valueOf()
    nowMs += 400
    expect(await valueOf()).toBe(600)
    expect(asked).toBe(1)
  })

  it('drops the token when the provider refuses, and retries after a minute', async () => {
    await valueOf()
    answer = failing('refused')
    nowMs += 80_000
    await valueOf()
    await settled()
    expect(await valueOf()).toBe(60_000)
    expect(outcomes).toEqual([null, 'refused'])
  })

  it('fetches another token when a receiver refuses it, but not repeatedly', async () => {
    const first = (await cache.obtain()) as CachedToken
    cache.distrust(first)
    await valueOf()
    await settled()
    expect(asked).toBe(1)
    nowMs += 31_000
    cache.distrust(first)
    expect(await valueOf()).toBe('token 1')
    await settled()
    expect(await valueOf()).toBe('token 2')
    cache.distrust(first)
    await valueOf()
    await settled()
    expect(asked).toBe(2)
  })

  it('continues with the token of the previous cache', async () => {
    await valueOf()
    cache = newCache(cache.present())
    expect(await valueOf()).toBe('token 1')
    expect(asked).toBe(1)
  })

  it('rethrows errors that are not provider failures, and requests again', async () => {
    answer = async () => {
      throw new Error('a bug')
    }
    await expect(cache.obtain()).rejects.toThrow('a bug')
    answer = async () => ({ value: 'mended', lifeSeconds: 100 })
    expect(await valueOf()).toBe('mended')
  })
})
