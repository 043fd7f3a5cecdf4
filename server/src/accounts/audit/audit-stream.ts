import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../../platform/db/database.ts'
import { runForAccount } from '../../platform/db/account-scope.ts'
import { auditEntryRecord } from './audit-record.ts'
import { readAuditEntries, readSettledId, type AuditFilters } from './audit-store.ts'

/** Bounds the memory of a stream: the next page is read when the reader has taken this one. */
const pageSize = 200
const pollMs = 500
/** Below the idle timeouts of common proxies. */
const heartbeatMs = 15_000

export interface AuditStreamOptions {
  readonly database: Database
  readonly accountId: number
  readonly filters: AuditFilters
  readonly after: number
  /** Waits for new entries instead of ending. */
  readonly isFollowing: boolean
  /** Checked before each page, because the stream outlives the check of its request. */
  readonly mayContinue: () => Promise<boolean>
  readonly signal: AbortSignal
}

/** Yields the entries as NDJSON, oldest first. An empty line now and then keeps the connection open. */
export async function* streamAuditEntries(options: AuditStreamOptions): AsyncGenerator<string> {
  const { database, accountId, filters, isFollowing, signal } = options
  // The reader of the stream resumes this generator outside the scope of the request.
  const read = <T>(work: () => Promise<T>): Promise<T> => runForAccount(accountId, work)
  let position = options.after
  let silentMs = 0
  // Sends the headers at once, so that the reader knows that the stream is open.
  if (isFollowing) yield '\n'
  while (!signal.aborted && (await options.mayContinue())) {
    const upTo = await read(() => readSettledId(database.kysely))
    const range = { after: position, upTo }
    const rows = await read(() => readAuditEntries(database.kysely, accountId, filters, range, pageSize))
    const isPageFull = rows.length === pageSize
    position = isPageFull ? (rows.at(-1)?.id ?? upTo) : Math.max(position, upTo)
    if (rows.length > 0) yield rows.map((row) => `${JSON.stringify(auditEntryRecord(row))}\n`).join('')
    silentMs = rows.length > 0 ? 0 : silentMs + pollMs
    if (isPageFull) continue
    if (!isFollowing) return
    if (silentMs >= heartbeatMs) {
      silentMs = 0
      yield '\n'
    }
    await delay(pollMs, undefined, { signal }).catch(() => {})
  }
}
