import { sql } from 'kysely'
import type { Database, Queryable } from '../../../../../platform/db/database.ts'
import { forEachAtOnce } from '../../../../../platform/base/concurrency/for-each-at-once.ts'
import type { BlobStore } from '../../../../../platform/blobs/blob-store.ts'
import { isPassingError } from '../../../../../platform/db/driver/is-passing-error.ts'

const statsAtOnce = 8

/** A run of whole fragments of a recording, in a blob of its own. */
export interface RecordedPiece {
  readonly startOffset: number
  readonly sizeBytes: number
  /** The headers of its fragments follow it in the blob. */
  readonly skeletonBytes: number
  readonly blob: string
}

export interface NewPiece extends RecordedPiece {
  /** What the next owner needs to continue after it. */
  readonly state: object
}

export interface PieceList {
  /** Returns 'lost' when another node owns the recording, or it is over, and 'later' while the database is unavailable. */
  readonly add: (pieces: readonly NewPiece[]) => Promise<'listed' | 'lost' | 'later'>
  /** Puts one piece in the place of those that it joins. Rejects when another node owns the recording. */
  readonly replace: (joined: NewPiece) => Promise<void>
}

/** The pieces of a recording that this owner of the stream writes. `hasRow` resolves when the recording has a row. */
export const createPieceList = (
  database: Database,
  { fileName, epoch }: { readonly fileName: string; readonly epoch: number },
  hasRow: Promise<void>,
): PieceList => {
  let isBegun = false
  void hasRow.then(() => (isBegun = true))

  const insert = async (queryable: Queryable, pieces: readonly NewPiece[]): Promise<boolean> => {
    const { rows } = await sql`
      with recording as (
        select id, account_id from live_recordings
        where file_name = ${fileName} and epoch = ${epoch} and state = 'recording' for share
      )
      insert into live_recording_pieces
        (recording_id, account_id, start_offset, size_bytes, skeleton_bytes, blob, state)
      select recording.id, recording.account_id, p."startOffset", p."sizeBytes", p."skeletonBytes", p.blob, p.state
      from recording, jsonb_to_recordset(${JSON.stringify(pieces)}::jsonb)
        as p ("startOffset" bigint, "sizeBytes" bigint, "skeletonBytes" bigint, blob text, state jsonb)
      on conflict (recording_id, start_offset) do update set blob = excluded.blob
      returning start_offset`.execute(queryable)
    return rows.length > 0
  }
  return {
    add: async (pieces) => {
      if (!isBegun) return 'later'
      try {
        return (await insert(database.kysely, pieces)) ? 'listed' : 'lost'
      } catch (error) {
        if (isPassingError(error)) return 'later'
        throw error
      }
    },
    replace: (joined) =>
      database.transaction(async (tx) => {
        await sql`
          delete from live_recording_pieces p using live_recordings r
          where r.file_name = ${fileName} and r.epoch = ${epoch} and r.state = 'recording'
            and p.recording_id = r.id and p.start_offset >= ${joined.startOffset}
            and p.start_offset < ${joined.startOffset + joined.sizeBytes}`.execute(tx)
        // Another node may have taken the recording over after the deletion, which this rolls back.
        if (!(await insert(tx, [joined]))) throw new Error('Another node continues the recording.')
      }),
  }
}

export const readPieces = async (queryable: Queryable, recordingId: number): Promise<RecordedPiece[]> => {
  const rows = await queryable
    .selectFrom('live_recording_pieces')
    .select(['start_offset', 'size_bytes', 'skeleton_bytes', 'blob'])
    .where('recording_id', '=', recordingId)
    .orderBy('start_offset')
    .execute()
  return rows.map((row) => ({
    startOffset: row.start_offset,
    sizeBytes: row.size_bytes,
    skeletonBytes: row.skeleton_bytes,
    blob: row.blob,
  }))
}

/** Returns the last piece with its state, or null when nothing is stored. */
export const readLastPiece = async (
  queryable: Queryable,
  recordingId: number,
): Promise<(Pick<RecordedPiece, 'startOffset' | 'sizeBytes'> & { readonly state: unknown }) | null> => {
  const row = await queryable
    .selectFrom('live_recording_pieces')
    .select(['start_offset', 'size_bytes', 'state'])
    .where('recording_id', '=', recordingId)
    .orderBy('start_offset', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined
    ? null
    : { startOffset: row.start_offset, sizeBytes: row.size_bytes, state: row.state }
}

/** Leaves out pieces whose blobs are gone, and closes the holes. The times in the fragments keep the others in place. */
export const withoutLost = async (
  blobs: Pick<BlobStore, 'stat'>,
  pieces: readonly RecordedPiece[],
): Promise<RecordedPiece[]> => {
  const lost = new Set<RecordedPiece>()
  await forEachAtOnce(pieces, statsAtOnce, async (piece) => {
    if ((await blobs.stat(piece.blob)) === null) lost.add(piece)
  })
  let lostBytes = 0
  return pieces.flatMap((piece) => {
    if (!lost.has(piece)) return [{ ...piece, startOffset: piece.startOffset - lostBytes }]
    lostBytes += piece.sizeBytes
    return []
  })
}
