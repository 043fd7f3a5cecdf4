import type { Tx } from '../../platform/db/database.ts'
import { invalidField, Problem } from '../../platform/base/problem.ts'
import { readElements } from './playlist-elements.ts'
import type { PlaylistRow } from './playlist-row.ts'
import type { PlaylistChange, PlaylistScope } from './playlist-store.ts'
import type { ElementsWrite } from './playlist-write-schema.ts'
import { checkElements, idsOf } from './playlist-write.ts'

/** Returns the ids of files that still have a row; a write drops purged files from the list. */
const withoutPurged = async (tx: Tx, playlist: PlaylistRow): Promise<number[]> => {
  const ids = playlist.element_file_ids
  if (ids.length === 0) return []
  const rows = await tx
    .selectFrom('media_files')
    .select('id')
    .where('account_id', '=', playlist.account_id)
    .where('id', 'in', [...new Set(ids)])
    .execute()
  const known = new Set(rows.map(({ id }) => id))
  return ids.filter((id) => known.has(id))
}

/** Converts a position in the shown list to an index of the stored list, which also holds deleted files. */
const storedIndexOf = (stored: readonly number[], shown: readonly number[], position: number): number => {
  if (position > shown.length) return stored.length
  let index = 0
  for (let at = 0; at < position; at += 1) {
    index = stored.indexOf(shown[at] ?? 0, at === 0 ? 0 : index + 1)
  }
  return index
}

/**
 * Inserts files into a manual playlist before the element at `position` (from 1), or at its end. Throws
 * 'conflict' for an automatic playlist and 'invalid' with the field.
 */
export const addElements = async (
  tx: Tx,
  options: { readonly scope: PlaylistScope; readonly maxElements: number },
  playlist: PlaylistRow,
  add: { readonly elements: ElementsWrite; readonly position: number | null },
): Promise<PlaylistChange> => {
  const { scope, maxElements } = options
  if (playlist.type === 'automatic') throw new Problem('playlist_is_automatic', { playlistId: playlist.id })
  await checkElements(tx, scope, playlist.project_id, add.elements)
  const fileIds = idsOf(add.elements)
  const shown = (await readElements(tx, playlist, 'makers')).map(({ fileId }) => fileId)
  const stored = await withoutPurged(tx, playlist)
  // Deleted files can be restored, and are elements then.
  if (stored.length + fileIds.length > maxElements)
    throw invalidField('Elements', 'playlist_full', {
      count: stored.length + fileIds.length,
      max: maxElements,
    })
  const position = add.position ?? shown.length + 1
  if (position > shown.length + 1)
    throw invalidField('Position', 'position_out_of_range', { max: shown.length + 1, value: position })
  const index = storedIndexOf(stored, shown, position)
  return { element_file_ids: stored.toSpliced(index, 0, ...fileIds) }
}
