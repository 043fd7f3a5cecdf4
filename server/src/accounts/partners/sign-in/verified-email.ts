type Claims = Readonly<Record<string, unknown>>

const maxEmailLength = 254

const isTrue = (value: unknown): boolean => value === true || value === 'true' || value === 1 || value === '1'

/** Converts only A to Z: other letters could become another person's address (the Kelvin sign becomes k). */
const inLowerCase = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/**
 * Anyone can have a Google account with an address of another mail service, verified only once. Google knows
 * the current owner only for its own mailboxes and for domains of its business customers (`hd`).
 */
const knowsOwner: Readonly<Record<string, (domain: string, claims: Claims) => boolean>> = {
  'https://accounts.google.com': (domain, { hd: customer }) =>
    domain === 'gmail.com' || (typeof customer === 'string' && inLowerCase(customer) === domain),
}

/**
 * Returns the address in lower case, or null unless the provider has verified that it belongs to this person.
 */
export const verifiedEmail = (claims: Claims, issuer: string): string | null => {
  const { email } = claims
  // Entra uses its own claim, which states whether the domain owner is verified.
  const isVerified = isTrue(claims['email_verified']) || isTrue(claims['xms_edov'])
  // oxlint-disable-next-line no-control-regex -- PostgreSQL holds no NUL, and no address has any of these.
  if (!isVerified || typeof email !== 'string' || /[\x00-\x20\x7f]/.test(email)) return null
  if (email.length > maxEmailLength) return null
  const address = inLowerCase(email)
  const isOwned = knowsOwner[issuer]?.(address.slice(address.lastIndexOf('@') + 1), claims) ?? true
  return isOwned ? address : null
}
