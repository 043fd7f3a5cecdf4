/** Shorter ones would turn up by chance, and hide nothing that a stranger could not guess. */
const shortestHidden = 8

/** What we send ourselves with each request; its owner may see it. */
const publicHeaders = new Set([
  'content-type',
  'content-length',
  'user-agent',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
])

/** Values as they stand in headers and, where that differs, in JSON; a credential without its scheme too. Longest first. */
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
 * What a receiver answered, for the log of attempts: some send back the headers that they got, and the access token and the owner's own headers
 * would stay there for weeks, for everyone who may read deliveries. The excerpt may end in the middle of one.
 */
export const hideSecrets = (excerpt: string, headers: Readonly<Record<string, string>>): string => {
  const spellings = spellingsOf(headers)
  const whole = spellings.reduce((text, secret) => text.replaceAll(secret, '…'), excerpt)
  return spellings.reduce(withoutCutEnd, whole)
}
