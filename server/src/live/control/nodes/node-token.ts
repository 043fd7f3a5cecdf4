import type { Secrets } from '../../../platform/base/secrets.ts'

export const nodeTokenOf = (secrets: Pick<Secrets, 'derive'>): string =>
  secrets.derive('live nodes').toString('base64url')
