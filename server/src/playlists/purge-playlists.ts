import type { Database } from '../kernel/db/database.ts'

const dayMs = 86_400_000

/** Long enough for everybody who has begun to watch one. */
const streamMemoryDays = 3

/** Playlists whose retention is over, and layouts of streams that nobody has begun to watch for days. */
export const purgePlaylists = async ({ kysely }: Database, retentionDays: number): Promise<void> => {
  await kysely
    .deleteFrom('playlists')
    .where('deleted_at', '<', new Date(Date.now() - retentionDays * dayMs))
    .execute()
  await kysely
    .deleteFrom('playlist_streams')
    .where('used_at', '<', new Date(Date.now() - streamMemoryDays * dayMs))
    .execute()
}
