import type { Secrets } from '../kernel/secrets.ts'

/** What api nodes show to the control server of a live node. */
export const nodeTokenOf = (secrets: Pick<Secrets, 'derive'>): string =>
  secrets.derive('live nodes').toString('base64url')
