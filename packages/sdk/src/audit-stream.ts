import { backoffMs, pause } from './backoff.ts'
import { bytesOf, longestSilenceMs } from './bytes-of.ts'
import { isFinalError } from './errors.ts'
import type { HttpClient } from './http-client.ts'
import { linesOf } from './lines-of.ts'
import type { Listed, Query } from './operation-types.ts'

type AuditEntry = Listed<'listAuditEntries', 'AuditEntries'>

export interface AuditStreamOptions extends Omit<Query<'streamAuditEntries'>, 'follow'> {
  /** Waits for new entries, and reconnects when needed. */
  readonly follow?: boolean
  readonly signal?: AbortSignal
}

/**
 * Yields all entries of the audit log, oldest first. With `follow` it never ends by itself: after a lost connection
 * it continues after the last entry.
 */
export async function* streamAudit(
  http: HttpClient,
  { signal, after, ...query }: AuditStreamOptions = {},
): AsyncGenerator<AuditEntry> {
  let lastId = after
  let failures = 0
  for (;;) {
    try {
      const wanted = Object.entries({ ...query, after: lastId }).filter(([, value]) => value !== undefined)
      const parameters = new URLSearchParams(wanted.map(([name, value]) => [name, String(value)]))
      const body = await http.open(`/audit/stream?${parameters}`, {
        headers: { Accept: 'application/x-ndjson' },
        ...(signal && { signal }),
      })
      for await (const line of linesOf(bytesOf(body, longestSilenceMs))) {
        const entry = JSON.parse(line) as AuditEntry
        failures = 0
        lastId = entry.Id
        yield entry
      }
      if (query.follow !== true) return
    } catch (error) {
      signal?.throwIfAborted()
      if (query.follow !== true || isFinalError(error)) throw error
    }
    await pause(backoffMs(Math.min(failures, 5)), signal)
    failures += 1
  }
}
