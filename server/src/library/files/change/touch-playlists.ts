import type { Tx } from '../../../platform/db/database.ts'

/**
 * Marks the playlists that contain these files as changed, in the transaction that deletes or restores the
 * files.
 */
export type TouchPlaylists = (tx: Tx, accountId: number, fileIds: readonly number[]) => Promise<void>
