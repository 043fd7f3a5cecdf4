import { hash, verify } from '@node-rs/argon2'
import { createGate } from '../../http/idempotency/gate.ts'
import { invalidField, Problem } from '../../kernel/problem.ts'

export const minPasswordLength = 10
export const maxPasswordLength = 200

export interface Passwords {
  readonly hash: (password: string) => Promise<string>
  /** Takes the same time where there is no hash to compare with: null is what nobody's password fits. */
  readonly verify: (passwordHash: string | null, password: string) => Promise<boolean>
}

/** Each takes a core for some 30 ms and 19 MiB (argon2id as OWASP recommends it): more at once would only be slower, and starve the rest. */
const atOnce = 2
const patienceMs = 5_000

/** What a person types looks the same on every keyboard, but need not be the same bytes (NIST SP 800-63B 3.1.1.2). */
const normalized = (password: string): string => password.normalize('NFKC')

/** argon2id, off the event loop, a few at a time. */
export const createPasswords = (): Passwords => {
  const gate = createGate(atOnce, atOnce)
  /** Of a password that nobody knows. */
  const nobodys = hash(crypto.randomUUID())
  nobodys.catch(() => {})

  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    const leave = await gate.enter(0, patienceMs)
    if (leave === null)
      throw new Problem('unavailable', 'Too many people sign in just now; try again.', {
        headers: { 'Retry-After': '5' },
      })
    return work().finally(leave)
  }

  return {
    hash: (password) => inTurn(() => hash(normalized(password))),
    verify: (passwordHash, password) =>
      inTurn(async () => {
        const fits = await verify(passwordHash ?? (await nobodys), normalized(password))
        return fits && passwordHash !== null
      }),
  }
}

/** Long, and not what a stranger would try first. Throws 'invalid'. */
export const checkNewPassword = (password: string, field: string, email: string): void => {
  const text = normalized(password).toLowerCase()
  const [name = ''] = email.toLowerCase().split('@')
  if (text.length < minPasswordLength)
    throw invalidField(field, `must have at least ${minPasswordLength} characters.`)
  if (text === email.toLowerCase() || (name.length > 3 && text.replaceAll(name, '').length < 6))
    throw invalidField(field, 'must not be made of your e-mail address.')
  if (new Set(text).size < 5) throw invalidField(field, 'must have at least five different characters.')
}
