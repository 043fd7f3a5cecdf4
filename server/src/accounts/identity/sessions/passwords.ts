import { hash, verify } from '@node-rs/argon2'
import { createSemaphore } from '../../../platform/http/idempotency/semaphore.ts'
import { Problem } from '../../../platform/base/problem.ts'

export const maxPasswordLength = 200

export interface Passwords {
  readonly hash: (password: string, from: Origin) => Promise<string>
  /** Takes the same time without a hash: null matches no password. */
  readonly verify: (passwordHash: string | null, password: string, from: Origin) => Promise<boolean>
}

/** Whether the user is or was signed in with this browser. */
type Origin = 'known' | 'stranger'
const owners = { stranger: 0, known: 1 } as const satisfies Record<Origin, number>

/**
 * Each hash takes a core for some 30 ms and 19 MiB (argon2id with OWASP's parameters): more at once would
 * only be slower and starve other work.
 */
const atOnce = 3
/** Unknown browsers cannot take the last place, which stays free for known ones. */
const atOnceFromOne = 2
/** A longer queue would make a caller wait for seconds. */
const longestQueue = 100
const patienceMs = 5_000

/** The same typed text may have different bytes on different keyboards (NIST SP 800-63B 3.1.1.2). */
export const normalized = (password: string): string => password.normalize('NFKC')

/** Hashes with argon2id, off the event loop, a few at a time. */
export const createPasswords = (): Passwords => {
  const semaphore = createSemaphore(atOnce, atOnceFromOne)
  const waiting = { stranger: 0, known: 0 }
  /** Hash of a random password, compared when a user has none. */
  const nobodys = hash(crypto.randomUUID())
  nobodys.catch(() => {})

  const enter = async (from: Origin): Promise<(() => void) | null> => {
    if (waiting[from] >= longestQueue) return null
    waiting[from] += 1
    return semaphore.acquire(owners[from], patienceMs).finally(() => {
      waiting[from] -= 1
    })
  }

  const inTurn = async <T>(from: Origin, work: () => Promise<T>): Promise<T> => {
    const leave = await enter(from)
    if (leave === null) throw new Problem('too_many_sign_ins', {}, { headers: { 'Retry-After': '5' } })
    return work().finally(leave)
  }

  return {
    hash: (password, from) => inTurn(from, () => hash(normalized(password))),
    verify: (passwordHash, password, from) =>
      inTurn(from, async () => {
        const fits = await verify(passwordHash ?? (await nobodys), normalized(password))
        return fits && passwordHash !== null
      }),
  }
}
