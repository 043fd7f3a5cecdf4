import type { FastifyInstance } from 'fastify'
import { Problem } from '../../platform/base/problem.ts'

const dayMs = 86_400_000
/** RFC 9116, section 2.5.5, recommends less than a year. */
const validDays = 180

interface SecurityTextOptions {
  readonly publicUrl: string
  readonly contacts: readonly string[]
  /** Null = always valid for some months. */
  readonly expiresAt: Date | null
}

/** Returns the text of RFC 9116, or null when there is no contact or the given date has passed. */
export const securityText = (
  { publicUrl, contacts, expiresAt }: SecurityTextOptions,
  nowMs: number,
): string | null => {
  // A whole day, so that caches see the same text all day.
  const expires = expiresAt ?? new Date((Math.floor(nowMs / dayMs) + validDays) * dayMs)
  if (contacts.length === 0 || expires.getTime() <= nowMs) return null
  return [
    ...contacts.map((contact) => `Contact: ${contact}`),
    `Expires: ${expires.toISOString().replace('.000Z', 'Z')}`,
    `Canonical: ${publicUrl}/.well-known/security.txt`,
    '',
  ].join('\n')
}

export const registerSecurityText = (app: FastifyInstance, options: SecurityTextOptions): void => {
  app.get('/.well-known/security.txt', { schema: { hide: true } }, async (_request, reply) => {
    const text = securityText(options, Date.now())
    if (text === null) throw new Problem('address_not_found')
    return reply
      .header('Content-Type', 'text/plain; charset=utf-8')
      .header('Cache-Control', 'public, max-age=3600')
      .send(text)
  })
}
