import type { Secrets } from '../../../platform/base/secrets.ts'

/** Returns the token with which api nodes authenticate at the control server of a live node. */
export const nodeTokenOf = (secrets: Pick<Secrets, 'derive'>): string =>
  secrets.derive('live nodes').toString('base64url')
