import { sql } from 'kysely'
import type { BlobStore } from '../../../platform/blobs/blob-store.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { MediaFileRow } from '../record/file-record.ts'
import type { RenditionRow } from '../record/parts/rendition-record.ts'

const hourMs = 3_600_000
/** Viewers in the middle of a video keep requesting segments of its playlists. */
const viewerGraceMs = 6 * hourMs
/** A superseded worker notices within seconds; this also covers what it writes until then. */
const writerGraceMs = hourMs

interface RevisionGarbage {
  readonly revision: number
  /** The source of that revision, when it is no longer needed. */
  readonly source: { readonly blob: string; readonly sizeBytes: number } | null
  readonly otherBlobs?: readonly string[]
  readonly removeAfter: Date
}

/**
 * Adds the media of a revision to the garbage list and returns its size in bytes. The entry is written in the
 * transaction that makes the media useless. Housekeeping removes the media later, so a crash neither loses
 * nor leaks blobs.
 */
const discardRevision = async (
  tx: Tx,
  blobs: BlobStore,
  file: MediaFileRow,
  { revision, source, otherBlobs = [], removeAfter }: RevisionGarbage,
): Promise<number> => {
  const renditions = await tx
    .selectFrom('renditions')
    .select(['delivery', 'media_blob', 'size_bytes'])
    .where('file_id', '=', file.id)
    .where('generation', '=', revision)
    .execute()
  const sources = new Set([file.source_blob, source?.blob])
  const remuxes = new Set(
    renditions
      .filter(({ delivery, media_blob }) => delivery === 'in_place' && !sources.has(media_blob))
      .map(({ media_blob }) => media_blob),
  )
  let sizeBytes = source?.sizeBytes ?? 0
  for (const { size_bytes } of renditions) sizeBytes += size_bytes
  for (const blob of remuxes) sizeBytes += (await blobs.stat(blob))?.sizeBytes ?? 0
  await insertGarbageEntry(tx, file, {
    revision,
    blobs: [...foldersOf(renditions), ...remuxes, ...(source === null ? [] : [source.blob]), ...otherBlobs],
    removeAfter,
  })
  return sizeBytes
}

export const foldersOf = (renditions: readonly Pick<RenditionRow, 'delivery' | 'media_blob'>[]): string[] =>
  renditions.filter(({ delivery }) => delivery === 'packaged').map(({ media_blob }) => `${media_blob}/`)

const insertGarbageEntry = async (
  tx: Tx,
  file: Pick<MediaFileRow, 'account_id' | 'id'>,
  entry: {
    readonly revision: number | null
    readonly blobs: readonly string[]
    readonly removeAfter: Date
  },
): Promise<void> => {
  await tx
    .insertInto('discarded_media')
    .values({
      account_id: file.account_id,
      file_id: file.id,
      generation: entry.revision,
      blobs: [...new Set(entry.blobs)],
      remove_after: entry.removeAfter,
    })
    .execute()
}

/** Adds blobs without a revision to the garbage list, such as the source of an upload that was given up. */
export const discardBlobs = (
  tx: Tx,
  file: Pick<MediaFileRow, 'account_id' | 'id'>,
  blobs: readonly string[],
): Promise<void> =>
  insertGarbageEntry(tx, file, { revision: null, blobs, removeAfter: new Date(Date.now() + writerGraceMs) })

/** Discards the pending revision of a file. Returns its size in bytes. */
export const discardPendingRevision = async (
  tx: Tx,
  blobs: BlobStore,
  file: MediaFileRow,
): Promise<number> => {
  const pending = file.rework
  if (pending === null) return 0
  const { generation: revision, source, poster, captions = [] } = pending
  const sizeBytes = await discardRevision(tx, blobs, file, {
    revision,
    source,
    otherBlobs: [
      ...(poster === null ? [] : [poster.pictureBlob, poster.thumbBlob]),
      ...captions.map(({ blob }) => blob),
    ],
    removeAfter: new Date(Date.now() + writerGraceMs),
  })
  const captionBytes = captions.reduce((sum, caption) => sum + caption.sizeBytes, 0)
  return sizeBytes + (poster?.sizeBytes ?? 0) + captionBytes
}

/**
 * Discards the current revision, with its source only when a new source replaces it. Returns its size in
 * bytes.
 */
export const discardCurrentRevision = async (
  tx: Tx,
  blobs: BlobStore,
  file: MediaFileRow,
  { isSourceReplaced }: { readonly isSourceReplaced: boolean },
): Promise<number> => {
  // Plays of its parts say nothing about the new source.
  if (isSourceReplaced)
    await tx
      .deleteFrom('file_heat_days')
      .where('account_id', '=', file.account_id)
      .where('file_id', '=', file.id)
      .execute()
  return discardRevision(tx, blobs, file, {
    revision: file.generation,
    source:
      isSourceReplaced && file.source_blob !== null
        ? { blob: file.source_blob, sizeBytes: file.source_size_bytes ?? 0 }
        : null,
    removeAfter: new Date(Date.now() + viewerGraceMs),
  })
}

/**
 * Number of a revision for renditions that others have replaced within theirs. No file plays it, because revisions count from 1.
 * Each retirement has one of its own, so that its rows and its blobs go at the same time.
 */
const newRetiredRevision = (fileId: number) => sql<number>`(
  select least(0, min(others.generation)) - 1 from renditions as others where others.file_id = ${fileId})`

/**
 * Removes the incomplete renditions of a run from the manifests, because another run has completed them.
 * Their playlists end but stay available to current viewers. Their bytes were never counted.
 */
export const retireRenditions = async (
  tx: Tx,
  file: Pick<MediaFileRow, 'account_id' | 'id'>,
  ids: readonly number[],
): Promise<void> => {
  if (ids.length === 0) return
  const retired = await tx
    .updateTable('renditions')
    .set({ generation: newRetiredRevision(file.id), state: 'complete' })
    .where('id', 'in', [...ids])
    .where('state', '!=', 'complete')
    .returning(['generation as revision', 'delivery', 'media_blob'])
    .execute()
  const [first] = retired
  if (first === undefined) return
  await insertGarbageEntry(tx, file, {
    revision: first.revision,
    blobs: foldersOf(retired),
    removeAfter: new Date(Date.now() + viewerGraceMs),
  })
}

/**
 * Removes a rendition whose segments are dropped from the manifests. Its segments stay available to current viewers.
 */
export const retireEvicted = async (
  tx: Tx,
  file: Pick<MediaFileRow, 'account_id' | 'id'>,
  renditionId: number,
): Promise<void> => {
  const { revision, ...retired } = await tx
    .updateTable('renditions')
    .set({ generation: newRetiredRevision(file.id) })
    .where('id', '=', renditionId)
    .returning(['generation as revision', 'delivery', 'media_blob'])
    .executeTakeFirstOrThrow()
  await insertGarbageEntry(tx, file, {
    revision,
    blobs: foldersOf([retired]),
    removeAfter: new Date(Date.now() + viewerGraceMs),
  })
}

/**
 * Retires in-progress renditions that have a complete one of the same name. Their run was superseded and may
 * have been killed.
 */
export const retireSuperseded = async (
  tx: Tx,
  file: Pick<MediaFileRow, 'account_id' | 'id'>,
  revision: number,
): Promise<void> => {
  const rows = await tx
    .selectFrom('renditions')
    .select(['id', 'name', 'state'])
    .where('file_id', '=', file.id)
    .where('generation', '=', revision)
    .where('delivery', '=', 'packaged')
    .execute()
  const whole = new Set(rows.filter(({ state }) => state === 'complete').map(({ name }) => name))
  const superseded = rows.filter(({ name, state }) => state === 'growing' && whole.has(name))
  await retireRenditions(
    tx,
    file,
    superseded.map(({ id }) => id),
  )
}
