import type { Queryable } from '../../../platform/db/database.ts'

/** Rules of an account for new keys. */
export interface KeyPolicy {
  /** Null = no limit. */
  readonly maxDays: number | null
}

export const readKeyPolicy = async (queryable: Queryable, accountId: number): Promise<KeyPolicy> => {
  const { max_key_days } = await queryable
    .selectFrom('accounts')
    .select('max_key_days')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  return { maxDays: max_key_days }
}

/** Returns the latest expiry of a key that was created at this time, in whole seconds. Null = no limit. */
export const latestEnd = ({ maxDays }: KeyPolicy, createdAt: Date): Date | null =>
  maxDays === null ? null : new Date(Math.floor(createdAt.getTime() / 1_000 + maxDays * 86_400) * 1_000)
