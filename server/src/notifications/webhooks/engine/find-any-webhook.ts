import type { Database } from '../../../platform/db/database.ts'

/**
 * Returns whether the installation has had a webhook, also a deleted one. Most installations have none, and their
 * workers need not look for deliveries 25 times a second.
 */
export const createFindAnyWebhook = ({ sql }: Database): (() => Promise<boolean>) => {
  let isFound = false
  return async () => {
    if (isFound) return true
    const [row] = await sql<{ isFound: boolean }[]>`select exists (select from webhooks) as "isFound"`
    isFound = row?.isFound === true
    return isFound
  }
}
