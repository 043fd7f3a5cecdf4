import type { Tx } from '../kernel/db/database.ts'

/** Marks the playlists that name these files as changed, in the transaction that takes the files away or brings them back. */
export type TouchPlaylists = (tx: Tx, accountId: number, fileIds: readonly number[]) => Promise<void>
