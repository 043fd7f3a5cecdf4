import { isIP } from 'node:net'
import { Problem } from '../../../../platform/base/problem.ts'

/** Browsers bind passkeys to this host name and origin (WebAuthn, section 5.1.2). */
export interface RelyingParty {
  readonly id: string
  readonly origin: string
}

/** Null for an address without a name: browsers refuse passkeys there. */
export const relyingPartyOf = (publicUrl: string): RelyingParty | null => {
  const { hostname, origin } = new URL(publicUrl)
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? { id: hostname, origin } : null
}

export const requireRelyingParty = (publicUrl: string): RelyingParty => {
  const party = relyingPartyOf(publicUrl)
  if (party === null) throw new Problem('passkeys_unavailable')
  return party
}
