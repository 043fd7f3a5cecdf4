import { setTimeout as delay } from 'node:timers/promises'
import type { Database, Tx } from '../../../platform/db/database.ts'
import { emit } from '../../../platform/outbox/outbox.ts'
import type { Log } from '../../../platform/log/log.ts'
import { releaseOf } from '../record/file-release.ts'
import { isOfLiveProject } from '../record/media-file-store.ts'

const pollMs = 250
const batchSize = 100

/**
 * Sends `file.released` and `file.unreleased` when a publication window begins or ends. The announced state
 * is written in the transaction of the event and the row is locked, so several workers announce it once. A
 * window that began and ended unannounced is skipped.
 */
const announceDue = async (tx: Tx, now: Date): Promise<number> => {
  const due = await tx
    .selectFrom('media_files')
    .selectAll()
    .where('release_changes_at', '<=', now)
    .where(isOfLiveProject)
    .orderBy('release_changes_at')
    .limit(batchSize)
    .forNoKeyUpdate()
    .skipLocked()
    .execute()
  for (const file of due) {
    const { isReleased, changesAt } = releaseOf(file, now)
    const isNews = isReleased !== file.is_released
    const sequence = file.event_sequence + (isNews ? 1 : 0)
    await tx
      .updateTable('media_files')
      .set({ is_released: isReleased, release_changes_at: changesAt, event_sequence: sequence })
      .where('id', '=', file.id)
      .execute()
    if (isNews)
      await emit(tx, {
        accountId: file.account_id,
        projectId: file.project_id,
        fileId: file.id,
        name: isReleased ? 'file.released' : 'file.unreleased',
        sequence,
        subject: 'File',
        record: file.record,
      })
  }
  return due.length
}

const isAnyDue = async (database: Database, now: Date): Promise<boolean> =>
  (await database.kysely
    .selectFrom('media_files')
    .select('id')
    .where('release_changes_at', '<=', now)
    .limit(1)
    .executeTakeFirst()) !== undefined

/** Polls for windows that begin or end, every 250 ms, until it is stopped. */
export const startReleaseAnnouncer = ({
  database,
  log,
}: {
  readonly database: Database
  readonly log: Log
}): { readonly stop: () => Promise<void> } => {
  const stopping = new AbortController()
  const { signal } = stopping

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      // Read before the transaction, whose start is the time of the events: no event precedes its window.
      const now = new Date()
      // Most polls find nothing, and one statement costs a third of a transaction.
      const announced = await isAnyDue(database, now)
        .then((isDue) => (isDue ? database.transaction((tx) => announceDue(tx, now)) : 0))
        .catch((error: unknown) => {
          if (!signal.aborted) log.warn({ err: error }, 'cannot announce releases; retrying')
          return 0
        })
      if (announced < batchSize) await delay(pollMs, null, { signal }).catch(() => {})
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
