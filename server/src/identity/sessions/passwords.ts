import { hash, verify } from '@node-rs/argon2'
import { createGate } from '../../http/idempotency/gate.ts'
import { Problem } from '../../kernel/problem.ts'

export const maxPasswordLength = 200

export interface Passwords {
  readonly hash: (password: string, from: Origin) => Promise<string>
  /** Takes the same time where there is no hash to compare with: null is what nobody's password fits. */
  readonly verify: (passwordHash: string | null, password: string, from: Origin) => Promise<boolean>
}

/** Whether it comes from a browser in which this person is signed in, or was before. */
type Origin = 'known' | 'stranger'
const owners = { stranger: 0, known: 1 } as const satisfies Record<Origin, number>

/** Each takes a core for some 30 ms and 19 MiB (argon2id as OWASP recommends it): more at once would only be slower, and starve the rest. */
const atOnce = 3
/** However many strangers try, one place is left for those who are known. */
const atOnceFromOne = 2
/** Whoever comes after so many would wait for seconds. */
const longestQueue = 100
const patienceMs = 5_000

/** What a person types looks the same on every keyboard, but need not be the same bytes (NIST SP 800-63B 3.1.1.2). */
export const normalized = (password: string): string => password.normalize('NFKC')

/** argon2id, off the event loop, a few at a time. */
export const createPasswords = (): Passwords => {
  const gate = createGate(atOnce, atOnceFromOne)
  const waiting = { stranger: 0, known: 0 }
  /** Of a password that nobody knows. */
  const nobodys = hash(crypto.randomUUID())
  nobodys.catch(() => {})

  const enter = async (from: Origin): Promise<(() => void) | null> => {
    if (waiting[from] >= longestQueue) return null
    waiting[from] += 1
    return gate.enter(owners[from], patienceMs).finally(() => {
      waiting[from] -= 1
    })
  }

  const inTurn = async <T>(from: Origin, work: () => Promise<T>): Promise<T> => {
    const leave = await enter(from)
    if (leave === null)
      throw new Problem('unavailable', 'Too many people sign in just now; try again.', {
        headers: { 'Retry-After': '5' },
      })
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
