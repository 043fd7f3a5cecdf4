import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { callerOf } from '../requests/authenticate.ts'
import type { Database } from '../../db/database.ts'
import type { Log } from '../../log/log.ts'
import { invalidField, Problem } from '../../base/problem.ts'
import { createLeaseClaims, createTransactionClaims, type Claim } from './claims.ts'
import { fingerprintOf, isStreamed } from './fingerprint.ts'
import type { IdempotencyStore, KeyOwner, StoredAnswer } from './idempotency-store.ts'

const defaultPatienceMs = 30_000
const defaultLockWaitMs = 10_000
const pollMs = 100
const printable = /^[\x20-\x7e]{1,255}$/
/** Headers of the first response that a replay repeats. */
const storedHeaders = ['location', 'etag', 'content-type', 'cache-control']

const readKey = (request: FastifyRequest): string | null => {
  const sent = request.raw.headersDistinct['idempotency-key'] ?? []
  if (sent.length === 0) return null
  const [key = ''] = sent
  if (sent.length > 1 || !printable.test(key))
    throw invalidField('Idempotency-Key', 'idempotency_key_malformed')
  return key
}

/** Without a length, two streamed bodies cannot be told apart. */
const lengthMissing = (): Problem => invalidField('Content-Length', 'required_with_idempotency_key')

const mismatch = (): Problem => new Problem('idempotency_key_reused')

const stillBusy = (): Problem =>
  new Problem('idempotent_request_in_progress', {}, { headers: { 'Retry-After': '5' } })

/**
 * Only successes are stored: a failed request changed nothing and may be corrected and sent again with its
 * key.
 */
const answerOf = (reply: FastifyReply, payload: unknown): StoredAnswer | null => {
  if (reply.statusCode >= 400) return null
  const headers = storedHeaders.flatMap((name) => {
    const value = reply.getHeader(name)
    return value === undefined ? [] : [[name, String(value)]]
  })
  const body = Buffer.isBuffer(payload)
    ? payload.toString('utf8')
    : typeof payload === 'string'
      ? payload
      : ''
  return { status: reply.statusCode, headers: Object.fromEntries(headers), body }
}

const replay = (request: FastifyRequest, reply: FastifyReply, answer: StoredAnswer): void => {
  if (!request.raw.complete) {
    // The file already exists: drains its bytes, so that the sender reads the response.
    reply.header('Connection', 'close')
    request.raw.resume()
  }
  reply.code(answer.status).headers(answer.headers).header('Idempotent-Replayed', 'true').send(answer.body)
}

export interface IdempotencyDependencies {
  readonly database: Database
  readonly store: IdempotencyStore
  readonly log: Log
  /** How long a repetition waits for the first request, and a request for a free place. */
  readonly patienceMs?: number
  /** How long the handler may wait for a row locked by another transaction. */
  readonly lockWaitMs?: number
}

export const useIdempotencyKeys = (
  app: FastifyInstance,
  {
    database,
    store,
    log,
    patienceMs = defaultPatienceMs,
    lockWaitMs = defaultLockWaitMs,
  }: IdempotencyDependencies,
): void => {
  const claimWithTransaction = createTransactionClaims(database, store, { lockWaitMs })
  const claimWithLease = createLeaseClaims(database, store, log)
  /** Keys that requests of this process hold: repetitions wait for them without querying the database. */
  const held = new Map<string, Promise<void>>()
  const claims = new WeakMap<FastifyRequest, Claim>()

  /** Waits for the key: returns the response of the first request, or a claim to be the first. */
  const obtain = async (request: FastifyRequest, owner: KeyOwner): Promise<Claim | StoredAnswer> => {
    if (isStreamed(request) && request.headers['content-length'] === undefined) throw lengthMissing()
    const fingerprint = fingerprintOf(request)
    const isLong = isStreamed(request) || request.routeOptions.config.isLong === true
    const tryClaim = isLong ? claimWithLease : claimWithTransaction
    const name = JSON.stringify(owner)
    const deadline = Date.now() + patienceMs
    for (;;) {
      const other = held.get(name)
      if (other !== undefined)
        await Promise.race([other, sleep(Math.max(0, deadline - Date.now()), undefined, { ref: false })])
      else {
        const mine = Promise.withResolvers<void>()
        held.set(name, mine.promise)
        const release = (): void => {
          held.delete(name)
          mine.resolve()
        }
        const result = await tryClaim(owner, fingerprint, deadline - Date.now()).catch((error: unknown) => {
          release()
          throw error
        })
        if (result.is === 'claimed')
          return { ...result, end: (answer) => result.end(answer).finally(release) }
        release()
        if (result.is === 'answered') return result.answer
        if (result.is === 'mismatch') throw mismatch()
        await sleep(pollMs)
      }
      if (Date.now() >= deadline) throw stillBusy()
    }
  }

  const begin = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    const prepare = async (): Promise<Claim | StoredAnswer | null> => {
      const key = readKey(request)
      const { principal } = request
      return key === null
        ? null
        : obtain(request, { accountId: principal.accountId, caller: callerOf(principal), key })
    }
    prepare().then(
      (obtained) => {
        if (obtained === null) done()
        else if ('join' in obtained) {
          claims.set(request, obtained)
          obtained.join(done)
        } else replay(request, reply, obtained)
      },
      (error: unknown) => done(error as Error),
    )
  }

  /** Runs before the first byte of the response: when the commit fails, the response is that failure. */
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
        const hasFailedBefore = reply.statusCode >= 400
        if (!hasFailedBefore) reply.removeHeader('location').removeHeader('etag')
        done(hasFailedBefore ? null : (error as Error), payload)
      },
    )
  }

  app.addHook('onRoute', (route) => {
    if (route.method !== 'POST') return
    route.preHandler = [...[route.preHandler ?? []].flat(), begin]
    route.onSend = [...[route.onSend ?? []].flat(), end]
  })
}
