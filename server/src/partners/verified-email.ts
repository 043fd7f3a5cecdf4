type Claims = Readonly<Record<string, unknown>>

const maxEmailLength = 254

const isTrue = (value: unknown): boolean => value === true || value === 'true' || value === 1 || value === '1'

/** Of the letters A to Z alone: others become letters of somebody else's address (the Kelvin sign a k). */
const inLowerCase = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/**
 * Anybody can have a Google account with an address of another mail service. That it was verified once does not say whose it is today: Google
 * knows that of its own mailboxes, and of the domains of its business customers (`hd`).
 */
const knowsOwner: Readonly<Record<string, (domain: string, claims: Claims) => boolean>> = {
  'https://accounts.google.com': (domain, { hd: customer }) =>
    domain === 'gmail.com' || (typeof customer === 'string' && inLowerCase(customer) === domain),
}

/** The address in lower case, where the provider says that it is this person's; else null. */
export const verifiedEmail = (claims: Claims, issuer: string): string | null => {
  const { email } = claims
  // Entra says it by a claim of its own, whether the domain's owner has been verified.
  const isVerified = isTrue(claims['email_verified']) || isTrue(claims['xms_edov'])
  // oxlint-disable-next-line no-control-regex -- PostgreSQL holds no NUL, and no address has any of these.
  if (!isVerified || typeof email !== 'string' || /[\x00-\x20\x7f]/.test(email)) return null
  if (email.length > maxEmailLength) return null
  const address = inLowerCase(email)
  const isOwned = knowsOwner[issuer]?.(address.slice(address.lastIndexOf('@') + 1), claims) ?? true
  return isOwned ? address : null
}
