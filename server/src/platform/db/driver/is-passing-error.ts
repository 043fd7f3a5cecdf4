import { isServerError } from './connection.ts'

/** A PostgreSQL error is permanent, except for classes 08, 53 and 57 (outages) and 40 and 55 (conflicts). */
export const isPassingError = (error: unknown): boolean => {
  const { code = '' } = error as { code?: string }
  return isServerError(error) ? /^(08|40|53|55|57)/.test(code) : code !== '' && !code.startsWith('ERR_')
}
