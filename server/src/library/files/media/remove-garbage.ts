import { sql } from 'kysely'
import { BlobStoreUnavailableError, type BlobStore } from '../../../platform/blobs/blob-store.ts'
import type { Database, Tx } from '../../../platform/db/database.ts'
import { keysAwaitedByClips } from './clips.ts'
import { foldersOf } from './garbage-list.ts'

interface GarbageDependencies {
  readonly database: Database
  readonly blobs: BlobStore
}

interface Entry {
  readonly id: number
  readonly file_id: number
  readonly generation: number | null
  readonly blobs: readonly string[]
}

/** Bounds the time for which a batch locks its entries. */
const entriesPerBatch = 20
/** Then the next run continues, so that other tasks have their turn. */
const longestRunMs = 300_000
/** Delays the removal of media that a clip has yet to be cut from. */
const clipGraceMs = 3_600_000

/**
 * Housekeeping task: removes media that is due, oldest first. Processes that run it at the same time share
 * the work. Throws at the end when entries could not be removed; they stay for the next run.
 */
export const removeGarbage = async (dependencies: GarbageDependencies): Promise<void> => {
  const endsAtMs = Date.now() + longestRunMs
  const failures = new Map<number, unknown>()
  while (Date.now() < endsAtMs) {
    const { ids, error } = await removeBatch(dependencies, { except: [...failures.keys()] })
    if (ids.length === 0) {
      if (error !== null) throw error
      break
    }
    if (error instanceof BlobStoreUnavailableError) throw error
    if (error === null) continue
    for (const id of ids) {
      const one = await removeBatch(dependencies, { only: id })
      if (one.error !== null) failures.set(id, one.error)
    }
  }
  if (failures.size > 0)
    throw new AggregateError(
      failures.values(),
      `${failures.size} entries of the garbage list cannot be removed`,
    )
}

type Selection = { readonly except: readonly number[] } | { readonly only: number }

/** Removes the entries that no other process is removing, in one transaction. */
const removeBatch = async (
  { database, blobs }: GarbageDependencies,
  selection: Selection,
): Promise<{ readonly ids: readonly number[]; readonly error: unknown }> => {
  let ids: readonly number[] = []
  try {
    await database.transaction(async (tx) => {
      const entries = await lockEntries(tx, selection)
      ids = entries.map(({ id }) => id)
      if (entries.length > 0) await removeEntries(tx, blobs, entries)
    })
    return { ids, error: null }
  } catch (error) {
    return { ids, error }
  }
}

const lockEntries = (tx: Tx, selection: Selection): Promise<Entry[]> => {
  const due = tx
    .selectFrom('discarded_media')
    .select(['id', 'file_id', 'generation', 'blobs'])
    .where('remove_after', '<=', new Date())
    .orderBy('remove_after')
    .limit(entriesPerBatch)
    .forUpdate()
    .skipLocked()
  return (
    'only' in selection
      ? due.where('id', '=', selection.only)
      : due.where('id', '!=', sql<number>`all(${[...selection.except]}::bigint[])`)
  ).execute()
}

/**
 * Deletes the blobs before the entries, so that a crash in between keeps the entries. They stay locked: a
 * transaction that wants to name their blobs waits and then finds them deleted.
 */
const removeEntries = async (tx: Tx, blobs: BlobStore, entries: readonly Entry[]): Promise<void> => {
  const awaited = await keysAwaitedByClips(
    tx,
    entries.flatMap((entry) => entry.blobs),
  )
  const { waiting = [], due = [] } = Object.groupBy(entries, (entry) =>
    entry.blobs.some((key) => awaited.has(key)) ? 'waiting' : 'due',
  )
  if (waiting.length > 0)
    await tx
      .updateTable('discarded_media')
      .set({ remove_after: new Date(Date.now() + clipGraceMs) })
      .where('id', 'in', idsOf(waiting))
      .execute()
  if (due.length === 0) return
  // Reads the renditions again: a superseded worker may have added some after the entry was made.
  const { rows: renditions } = await sql<{ delivery: 'packaged' | 'in_place'; media_blob: string }>`
    delete from renditions r
    using unnest(${due.map(({ file_id }) => file_id)}::bigint[], ${due.map(({ generation }) => generation)}::bigint[])
      as entry (file_id, generation)
    where r.file_id = entry.file_id and r.generation = entry.generation
    returning r.delivery, r.media_blob`.execute(tx)
  await blobs.deleteAll([...new Set([...due.flatMap((entry) => entry.blobs), ...foldersOf(renditions)])])
  await tx.deleteFrom('discarded_media').where('id', 'in', idsOf(due)).execute()
}

const idsOf = (entries: readonly Entry[]): number[] => entries.map(({ id }) => id)
