/** `seconds` is the position at which the link starts; null = from the start. */
export const shareLink = (address: string, seconds: number | null): string => {
  const url = new URL(address)
  const whole = Math.floor(seconds ?? 0)
  if (whole > 0) url.searchParams.set('t', String(whole))
  else url.searchParams.delete('t')
  return url.href
}

/**
 * Returns the address that viewers can share. Null without one: a signed link belongs to its viewer, and only
 * public pages name their address.
 */
export const shareAddress = (share: string | false | null): string | null => {
  if (share === false) return null
  return share ?? document.querySelector<HTMLLinkElement>('link[rel=canonical]')?.href ?? null
}
