import { sql, type Selectable } from 'kysely'
import type { Page } from '../../../platform/http/responses/paging.ts'
import type { Database, Queryable, Tx } from '../../../platform/db/database.ts'
import { readPage, type PageOf } from '../../../platform/db/keyset.ts'
import type { SessionsTable, SignInMethod } from '../../../platform/db/tables/sign-in.ts'
import { hashToken, newUrlToken } from '../../../platform/base/ids.ts'

export type SessionRow = Omit<Selectable<SessionsTable>, 'token_hash'>

export interface SessionLimits {
  readonly idleMs: number
  readonly maxMs: number
}

const columns = [
  'uuid',
  'account_id',
  'user_id',
  'created_at',
  'expires_at',
  'last_used_at',
  'address',
  'user_agent',
  'ordinal',
  'sign_in_method',
  'confirmed_at',
] as const

const maxUserAgentLength = 300

/**
 * The token has 256 random bits, of which the database stores only the hash: read access to it gives no
 * session.
 */
export const insertSession = async (
  tx: Tx,
  user: { readonly account_id: number; readonly id: number },
  from: {
    readonly address: string
    readonly userAgent: string | undefined
    readonly method: SignInMethod
    readonly confirmedAt?: Date | undefined
  },
  { maxMs }: SessionLimits,
): Promise<{ readonly row: SessionRow; readonly token: string }> => {
  const token = newUrlToken()
  const now = new Date()
  const row = await tx
    .insertInto('sessions')
    .values({
      token_hash: hashToken(token),
      account_id: user.account_id,
      user_id: user.id,
      created_at: now,
      last_used_at: now,
      expires_at: new Date(now.getTime() + maxMs),
      address: from.address,
      user_agent: (from.userAgent ?? '').slice(0, maxUserAgentLength),
      sign_in_method: from.method,
      // The clock of a provider may be ahead.
      confirmed_at: from.confirmedAt === undefined || from.confirmedAt > now ? now : from.confirmedAt,
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
  return { row, token }
}

const live = (queryable: Queryable, accountId: number, { idleMs }: SessionLimits) =>
  queryable
    .selectFrom('sessions')
    .where('account_id', '=', accountId)
    .where('expires_at', '>', new Date())
    .where('last_used_at', '>', new Date(Date.now() - idleMs))

export const findSession = (
  queryable: Queryable,
  accountId: number,
  uuid: string,
  limits: SessionLimits,
): Promise<SessionRow | undefined> =>
  live(queryable, accountId, limits).select(columns).where('uuid', '=', uuid).executeTakeFirst()

export const listSessions = async (
  queryable: Queryable,
  accountId: number,
  userIds: readonly number[],
  limits: SessionLimits,
  page: Page,
): Promise<PageOf<SessionRow> & { totalCount: number }> => {
  const matching = live(queryable, accountId, limits).where('user_id', 'in', [...userIds, 0])
  const found = await readPage(matching.select(columns).select('ordinal as id'), page, null, sql`ordinal`)
  const { count } = await matching
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return { ...found, totalCount: count }
}

/** A program that signs in for each run would accumulate thousands of sessions. */
const maxSessions = 50

/** Deletes and returns the sessions older than the newest fifty. The caller holds the lock of the user. */
export const deleteSurplusSessions = async (
  tx: Tx,
  { account_id, user_id }: Pick<SessionRow, 'account_id' | 'user_id'>,
): Promise<string[]> => {
  const deleted = await tx
    .deleteFrom('sessions')
    .where('account_id', '=', account_id)
    .where('ordinal', 'in', (select) =>
      select
        .selectFrom('sessions')
        .select('ordinal')
        .where('account_id', '=', account_id)
        .where('user_id', '=', user_id)
        .orderBy('ordinal', 'desc')
        .offset(maxSessions),
    )
    .returning('uuid')
    .execute()
  return deleted.map(({ uuid }) => uuid)
}

/** Deletes the session of this cookie, of any user: the browser replaces it by the new one. */
export const deleteSessionOfToken = async (
  tx: Tx,
  token: string,
): Promise<Pick<SessionRow, 'uuid' | 'account_id' | 'user_id'> | undefined> =>
  tx
    .deleteFrom('sessions')
    .where('token_hash', '=', hashToken(token))
    .returning(['uuid', 'account_id', 'user_id'])
    .executeTakeFirst()

export const deleteSession = async (tx: Tx, accountId: number, uuid: string): Promise<boolean> => {
  const { numDeletedRows } = await tx
    .deleteFrom('sessions')
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Deletes and returns all sessions of the user but one. */
export const deleteOtherSessions = async (
  tx: Tx,
  user: { readonly account_id: number; readonly id: number },
  except: string,
): Promise<string[]> => {
  const deleted = await tx
    .deleteFrom('sessions')
    .where('account_id', '=', user.account_id)
    .where('user_id', '=', user.id)
    .where('uuid', '!=', except)
    .returning('uuid')
    .execute()
  return deleted.map(({ uuid }) => uuid)
}

/**
 * Deletes the sessions of a user who was disabled or changed the password. Locks the user's row first, as a
 * sign-in does.
 */
export const deleteSessionsOfUser = async (
  tx: Tx,
  user: { readonly account_id: number; readonly id: number },
  except: string | null = null,
): Promise<void> => {
  await tx
    .deleteFrom('sessions')
    .where('account_id', '=', user.account_id)
    .where('user_id', '=', user.id)
    .$if(except !== null, (query) => query.where('uuid', '!=', except ?? ''))
    .execute()
}

export const dropEndedSessions = async (
  database: Database,
  { idleHours }: { readonly idleHours: number },
): Promise<void> => {
  await database.kysely
    .deleteFrom('sessions')
    .where((where) =>
      where.or([
        where('expires_at', '<', new Date()),
        where('last_used_at', '<', new Date(Date.now() - idleHours * 3_600_000)),
      ]),
    )
    .execute()
}
