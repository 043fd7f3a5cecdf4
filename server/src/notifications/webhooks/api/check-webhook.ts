import { isUsableSecret } from '@zoetrope/webhook-signature'
import { isSubscription } from '../../../platform/outbox/domain-event.ts'
import type { OutboundPolicy } from '../../../platform/outbound/outbound-policy.ts'
import { invalidField, invalidValue } from '../../../platform/base/problem.ts'
import { maskedValue, maskHeaders, type SealedHeaders } from '../store/custom-headers.ts'
import { inspectorTarget } from '../inspector/inspector.ts'

export const checkTargetUrl = (url: string, policy: OutboundPolicy): void => {
  if (url === inspectorTarget) return
  const issue = policy.urlIssue(url)
  if (issue !== null) throw invalidValue('TargetURL', issue)
}

export const checkEventTypes = (eventTypes: readonly string[], field = 'EventTypes'): string[] => {
  for (const [index, one] of eventTypes.entries())
    if (!isSubscription(one)) throw invalidField(`${field}[${index}]`, 'unknown_event_name', { value: one })
  return [...new Set(eventTypes)]
}

export const checkSecret = (secret: string): void => {
  if (!isUsableSecret(secret)) throw invalidField('Secret', 'secret_too_short')
}

/** Headers that Zoetrope sets or signs, and hop-by-hop headers (RFC 9110, section 7.6.1). */
const ourHeaders = new Set([
  'host',
  'content-type',
  'content-length',
  'content-encoding',
  'user-agent',
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'te',
  'trailer',
  'upgrade',
  'expect',
])

const isOurHeader = (name: string): boolean => ourHeaders.has(name) || name.startsWith('webhook-')

export const checkCustomHeaders = (headers: Readonly<Record<string, string>>): void => {
  const seen = new Set<string>()
  for (const [name, value] of Object.entries(headers)) {
    const field = `CustomHeaders.${name}`
    const lowerName = name.toLowerCase()
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/.test(name)) throw invalidField(field, 'not_header_name')
    if (isOurHeader(lowerName)) throw invalidField(field, 'header_reserved')
    if (seen.has(lowerName)) throw invalidField(field, 'given_twice')
    if (value !== maskedValue && !/^[\t\x20-\x7e]*$/.test(value))
      throw invalidField(field, 'not_visible_ascii')
    seen.add(lowerName)
  }
}

/**
 * Throws 'invalid' when a change of the target would send a stored header value to another receiver. A user who may
 * change the webhook must not be able to read the value there. The inspector shows no values.
 */
export const checkHeadersOfTarget = (
  headers: Readonly<Record<string, string>> | undefined,
  before: { readonly target_url: string; readonly sealed_headers: SealedHeaders },
  targetUrl: string | undefined,
): void => {
  if (targetUrl === undefined || targetUrl === inspectorTarget) return
  if (new URL(targetUrl).origin === new URL(before.target_url).origin) return
  const kept = Object.entries(headers ?? maskHeaders(before.sealed_headers)).find(
    ([, value]) => value === maskedValue,
  )
  if (kept !== undefined) throw invalidField(`CustomHeaders.${kept[0]}`, 'header_of_former_target')
}
