import { createHash } from 'node:crypto'
import type { GuardedAgent } from '../../../platform/outbound/guarded-agent.ts'
import { OutboundError } from '../../../platform/outbound/outbound-error.ts'
import type { Log } from '../../../platform/log/log.ts'
import { normalized } from './passwords.ts'

const prefixLength = 5
const timeoutMs = 3_000
const maxResponseBytes = 262_144

export type IsBreached = (password: string) => Promise<boolean>

/**
 * Asks the range API of Have I Been Pwned, or a mirror of it. Only the first five digits of the SHA-1 leave
 * this machine, and padding hides the number of matches. Without an answer, the password is accepted.
 */
export const createBreachedPasswords =
  (rangeUrl: string, { agent, log }: { readonly agent: GuardedAgent; readonly log: Log }): IsBreached =>
  async (password) => {
    const digest = createHash('sha1').update(normalized(password)).digest('hex').toUpperCase()
    const url = `${rangeUrl.replace(/\/$/, '')}/${digest.slice(0, prefixLength)}`
    const answer = await agent
      .request(url, {
        method: 'GET',
        headers: { 'add-padding': 'true', 'user-agent': 'Zoetrope' },
        body: null,
        timeoutMs,
        maxResponseBytes,
      })
      .catch((error: unknown) => {
        if (error instanceof OutboundError) return error
        throw error
      })
    if (answer instanceof OutboundError || answer.status !== 200) {
      const reason = answer instanceof OutboundError ? answer.message : `status ${answer.status}`
      log.warn({ reason }, 'cannot check passwords against the list of breached ones')
      return false
    }
    return answer.bodyExcerpt.split('\n').some((line) => {
      const [suffix = '', count = '0'] = line.trim().split(':')
      return suffix.toUpperCase() === digest.slice(prefixLength) && Number(count) > 0
    })
  }
