import { isServerError } from './connection.ts'

/**
 * A PostgreSQL error is permanent, except for classes 08, 53 and 57 (outages), 40 and 55 (conflicts) and 25006, with
 * which a standby refuses writes during a failover.
 */
export const isPassingError = (error: unknown): boolean => {
  const { code = '' } = error as { code?: string }
  return isServerError(error) ? /^(08|40|53|55|57|25006)/.test(code) : code !== '' && !code.startsWith('ERR_')
}
