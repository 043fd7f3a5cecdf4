import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { Gauge } from 'prom-client'
import type { Database, Tx } from '../../../platform/db/database.ts'
import type { Log } from '../../../platform/log/log.ts'
import { readAuditEntries, readSettledId } from '../audit-store.ts'
import { sendSyslog } from './send-syslog.ts'
import { syslogMessage } from './syslog-message.ts'
import type { SyslogTarget } from './syslog-target.ts'

/** Id of the last entry that the receiver has taken, in `installation_settings`. */
const positionSetting = 'audit_forwarded_id'
const batchSize = 200
const defaultTimeoutMs = 10_000
const longestPauseMs = 30_000

const isForwarding = new Gauge({
  name: 'zoetrope_audit_forwarding',
  help: 'Is 1 while the syslog receiver takes the audit log, 0 while it does not. Has no value if none is set.',
})
// A gauge without labels begins with 0, on which operators alert.
isForwarding.remove()

export interface AuditForwarding {
  readonly database: Database
  readonly log: Log
  readonly target: SyslogTarget
  readonly caFile: string | null
  /** HOSTNAME of the messages. */
  readonly host: string
  readonly pollMs?: number
  readonly timeoutMs?: number
}

const createPosition = async ({ kysely }: Database): Promise<void> => {
  await kysely
    .insertInto('installation_settings')
    .values({ name: positionSetting, value: '0' })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
}

/** Locks the position, so that one worker forwards at a time. Null = another worker does. */
const lockPosition = async (tx: Tx): Promise<number | null> => {
  const row = await tx
    .selectFrom('installation_settings')
    .select('value')
    .where('name', '=', positionSetting)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  return row === undefined ? null : Number(row.value)
}

/**
 * Forwards the next entries and stores the position in one transaction. If it fails after the receiver took them,
 * they are sent again: at least once. Returns whether more may wait.
 */
const forwardBatch = (
  { database, target, host, timeoutMs = defaultTimeoutMs }: AuditForwarding,
  ca: Buffer | null,
): Promise<boolean> =>
  database.transaction(async (tx) => {
    const after = await lockPosition(tx)
    if (after === null) return false
    const upTo = await readSettledId(tx)
    const rows = await readAuditEntries(tx, null, {}, { after, upTo }, batchSize)
    const last = rows.at(-1)
    if (last === undefined) return false
    const messages = rows.map((row) => syslogMessage(row, host))
    await sendSyslog(target, messages, { ca, timeoutMs })
    await tx
      .updateTable('installation_settings')
      .set({ value: String(last.id) })
      .where('name', '=', positionSetting)
      .execute()
    return rows.length === batchSize
  })

/** Forwards the audit log of all accounts to a syslog receiver until it is stopped. */
export const startAuditForwarder = (options: AuditForwarding): { readonly stop: () => Promise<void> } => {
  const { log, caFile, pollMs = 1_000 } = options
  const stopping = new AbortController()
  const { signal } = stopping

  const run = async (): Promise<void> => {
    let failures = 0
    let hasPosition = false
    while (!signal.aborted) {
      try {
        if (!hasPosition) await createPosition(options.database)
        hasPosition = true
        // Read again each time, because certificates are renewed.
        const hasMore = await forwardBatch(options, caFile === null ? null : await readFile(caFile))
        if (failures > 0) log.info('the audit log is forwarded again')
        failures = 0
        isForwarding.set(1)
        if (hasMore) continue
      } catch (error) {
        if (failures === 0) log.error({ err: error }, 'cannot forward the audit log; retrying')
        failures += 1
        isForwarding.set(0)
      }
      const pauseMs = Math.min(pollMs * 2 ** Math.min(failures, 10), longestPauseMs)
      await delay(pauseMs, undefined, { signal }).catch(() => {})
    }
  }
  const running = run()
  return {
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}
