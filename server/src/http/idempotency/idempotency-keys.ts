import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { callerOf } from '../authenticate.ts'
import type { Database } from '../../kernel/db/database.ts'
import { newId } from '../../kernel/ids.ts'
import { Problem } from '../../kernel/problem.ts'
import { createGate } from './gate.ts'
import { fingerprintOf, isStreamed } from './fingerprint.ts'
import {
  leaseSeconds,
  type IdempotencyStore,
  type KeyOwner,
  type KeyState,
  type StoredAnswer,
} from './idempotency-store.ts'

/** How long a repetition waits for the first request. */
const patienceMs = 30_000
const pollMs = 100
/** Each holds a connection for as long as its handler runs: the rest of the pool stays for everything else. */
const maxOpenTransactions = 5
const printable = /^[\x20-\x7e]{1,255}$/
/** What a replayed answer has of the first one's headers. */
const storedHeaders = ['location', 'etag', 'content-type', 'cache-control']

export interface IdempotencyDependencies {
  readonly database: Database
  readonly store: IdempotencyStore
}

/** A request that has the key to itself. */
interface Claim {
  /** Runs the handler within the claim's transaction, if it has one. */
  readonly join: (work: () => void) => void
  /** Null when the request failed: it changed nothing, and the key is free for another try. */
  readonly end: (answer: StoredAnswer | null) => Promise<void>
}

const readKey = (request: FastifyRequest): string | null => {
  const sent = request.raw.headersDistinct['idempotency-key'] ?? []
  if (sent.length === 0) return null
  const [key = ''] = sent
  if (sent.length > 1 || !printable.test(key))
    throw new Problem(
      'invalid',
      'Idempotency-Key must be one value of 1 to 255 printable ASCII characters, such as a new UUID for each operation.',
      { details: [{ field: 'Idempotency-Key', issue: 'must have 1 to 255 printable ASCII characters' }] },
    )
  return key
}

const mismatch = (): Problem =>
  new Problem(
    'conflict',
    'This Idempotency-Key was used for another request (method, address or body differ); send a new key with a new request.',
  )

const stillBusy = (): Problem =>
  new Problem(
    'conflict',
    'The first request with this Idempotency-Key is still under way; repeat this one later to get its answer.',
    { headers: { 'Retry-After': '5' } },
  )

const answerOf = (reply: FastifyReply, payload: unknown): StoredAnswer | null =>
  reply.statusCode >= 400
    ? null
    : {
        status: reply.statusCode,
        headers: Object.fromEntries(
          storedHeaders.flatMap((name) => {
            const value = reply.getHeader(name)
            return value === undefined ? [] : [[name, String(value)]]
          }),
        ),
        body: Buffer.isBuffer(payload) ? payload.toString('utf8') : String(payload ?? ''),
      }

/**
 * `Idempotency-Key` on every POST of this scope: the first request runs in one transaction together with the writing of its answer, which is
 * committed before a byte of it leaves; so even a kill -9 leaves either both or nothing. Repetitions get the stored answer.
 */
export const useIdempotencyKeys = (
  app: FastifyInstance,
  { database, store }: IdempotencyDependencies,
): void => {
  const gate = createGate(maxOpenTransactions)
  /** Requests of this process that hold a key: repetitions wait for them without asking the database. */
  const underWay = new Map<string, Promise<void>>()
  const claims = new WeakMap<FastifyRequest, Claim>()

  const claimWithTransaction = async (
    owner: KeyOwner,
    fingerprint: Buffer,
  ): Promise<Claim | Exclude<KeyState, { is: 'free' }>> => {
    const leaveGate = await gate.enter()
    try {
      const open = await database.beginJoined()
      try {
        const state = await store.lockKey(open.tx, owner, fingerprint)
        if (state.is !== 'free') {
          await open.rollback()
          leaveGate()
          return state
        }
      } catch (error) {
        await open.rollback().catch(() => {})
        throw error
      }
      return {
        join: open.join,
        end: async (answer) => {
          try {
            if (answer !== null) await store.remember(open.tx, owner, fingerprint, answer)
          } catch (error) {
            await open.rollback().catch(() => {})
            throw error
          } finally {
            leaveGate()
          }
          await (answer === null ? open.rollback() : open.commit())
        },
      }
    } catch (error) {
      leaveGate()
      throw error
    }
  }

  const claimWithLease = async (
    owner: KeyOwner,
    fingerprint: Buffer,
  ): Promise<Claim | Exclude<KeyState, { is: 'free' }>> => {
    const claimId = newId()
    const state = await database.transaction(async (tx) => {
      const found = await store.lockKey(tx, owner, fingerprint)
      if (found.is === 'free') await store.lease(tx, owner, fingerprint, claimId)
      return found
    })
    if (state.is !== 'free') return state
    const timer = setInterval(
      () => {
        // The next one makes up for one that fails.
        store.extendLease(owner, claimId).catch(() => {})
      },
      (leaseSeconds * 1_000) / 4,
    )
    return {
      join: (work) => work(),
      end: async (answer) => {
        clearInterval(timer)
        await store.endLease(owner, claimId, answer)
      },
    }
  }

  /** Waits for its turn; the answer of the first request, or the right to be the first. */
  const obtain = async (request: FastifyRequest, owner: KeyOwner): Promise<Claim | StoredAnswer> => {
    const fingerprint = fingerprintOf(request)
    const name = JSON.stringify(owner)
    const deadline = Date.now() + patienceMs
    for (;;) {
      const other = underWay.get(name)
      if (other !== undefined) {
        await Promise.race([other, sleep(Math.max(0, deadline - Date.now()), undefined, { ref: false })])
        if (Date.now() >= deadline) throw stillBusy()
        continue
      }
      const mine = Promise.withResolvers<void>()
      underWay.set(name, mine.promise)
      const release = (): void => {
        underWay.delete(name)
        mine.resolve()
      }
      try {
        const claimed = await (isStreamed(request) ? claimWithLease : claimWithTransaction)(
          owner,
          fingerprint,
        )
        if (!('is' in claimed))
          return { join: claimed.join, end: (answer) => claimed.end(answer).finally(release) }
        release()
        if (claimed.is === 'answered') return claimed.answer
        if (claimed.is === 'mismatch') throw mismatch()
      } catch (error) {
        release()
        throw error
      }
      if (Date.now() >= deadline) throw stillBusy()
      await sleep(pollMs)
    }
  }

  const replay = (request: FastifyRequest, reply: FastifyReply, answer: StoredAnswer): void => {
    if (!request.raw.complete) {
      // A file that is there already: the rest is let go by, so that the sender comes to read the answer.
      reply.header('Connection', 'close')
      request.raw.resume()
    }
    reply
      .code(answer.status)
      .headers(answer.headers)
      .header('Idempotent-Replayed', 'true')
      .send(answer.body)
  }

  const begin = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    let key: string | null
    try {
      key = readKey(request)
    } catch (error) {
      done(error as Error)
      return
    }
    if (key === null) {
      done()
      return
    }
    const owner = { accountId: request.principal.accountId, caller: callerOf(request.principal), key }
    obtain(request, owner).then(
      (obtained) => {
        if (!('join' in obtained)) {
          replay(request, reply, obtained)
          return
        }
        claims.set(request, obtained)
        obtained.join(() => done())
      },
      (error: unknown) => done(error as Error),
    )
  }

  /** Runs before a byte of the answer leaves; when the commit fails, the answer is that failure. */
  const end = (
    request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
    done: (error: Error | null, payload?: unknown) => void,
  ): void => {
    const claim = claims.get(request)
    if (claim === undefined) {
      done(null, payload)
      return
    }
    claims.delete(request)
    claim.end(answerOf(reply, payload)).then(
      () => done(null, payload),
      (error: unknown) => {
        if (reply.statusCode >= 400) {
          // What failed stays the answer: that its rollback failed too changes nothing.
          done(null, payload)
          return
        }
        reply.removeHeader('location').removeHeader('etag')
        done(error as Error)
      },
    )
  }

  app.addHook('onRoute', (route) => {
    if (route.method !== 'POST') return
    route.preHandler = [...[route.preHandler ?? []].flat(), begin]
    route.onSend = [...[route.onSend ?? []].flat(), end]
  })
}
