/** Shorter values occur by chance, and hiding them would protect little. */
const shortestHidden = 8

/** Headers that Zoetrope sets itself; the webhook's owner may see them. */
const publicHeaders = new Set([
  'content-type',
  'content-length',
  'user-agent',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
  'zoetrope-request-id',
])

/** Values as sent and as escaped in JSON, and credentials without their scheme; longest first. */
const spellingsOf = (headers: Readonly<Record<string, string>>): string[] =>
  Object.entries(headers)
    .filter(([name]) => !publicHeaders.has(name.toLowerCase()))
    .flatMap(([, value]) => [value, value.split(' ').at(-1) ?? ''])
    .flatMap((value) => [value, JSON.stringify(value).slice(1, -1)])
    .filter((value) => value.length >= shortestHidden)
    .sort((a, b) => b.length - a.length)

const withoutCutEnd = (text: string, secret: string): string => {
  for (let length = Math.min(secret.length - 1, text.length); length >= shortestHidden; length -= 1)
    if (text.endsWith(secret.slice(0, length))) return `${text.slice(0, -length)}…`
  return text
}

/**
 * Replaces secret header values in a response excerpt before it is stored. Some receivers echo the headers,
 * and every reader of the deliveries could see the tokens for weeks. An excerpt may be cut inside a secret.
 */
export const hideSecrets = (excerpt: string, headers: Readonly<Record<string, string>>): string => {
  const spellings = spellingsOf(headers)
  const whole = spellings.reduce((text, secret) => text.replaceAll(secret, '…'), excerpt)
  return spellings.reduce(withoutCutEnd, whole)
}
