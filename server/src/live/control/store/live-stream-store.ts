import type { Selectable } from 'kysely'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { isUnchanged } from '../../../platform/db/is-unchanged.ts'
import type { LiveStreamsTable } from '../../../platform/db/tables/live.ts'
import type { Secrets } from '../../../platform/base/secrets.ts'
import { lockAnyProject, lockProject } from '../../../library/projects/project-locks.ts'
import { findProject } from '../../../library/projects/project-store.ts'
import { newSrtPassphrase, newStreamKey } from './stream-keys.ts'

export type LiveStreamRow = Selectable<LiveStreamsTable>

export interface LiveStreamOwner {
  readonly accountId: number
  readonly projectId: number
}

const streamOf = (queryable: Queryable, { accountId, projectId }: LiveStreamOwner) =>
  queryable
    .selectFrom('live_streams')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('project_id', '=', projectId)

/** Creates the stream on first use; concurrent calls create it once. */
const makeStream = async (
  queryable: Queryable,
  secrets: Secrets,
  { accountId, projectId }: LiveStreamOwner,
): Promise<void> => {
  await queryable
    .insertInto('live_streams')
    .values({
      account_id: accountId,
      project_id: projectId,
      ...newStreamKey(secrets),
      ...newSrtPassphrase(secrets),
      renditions: '[]',
      sealed_source_uri: null,
      node_id: null,
      broadcast_id: null,
    })
    // Of two unique constraints, either may notice the other call first.
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/**
 * Returns the live stream of a project. Throws 'not_found' when the project is deleted or belongs to another
 * account.
 */
export const openLiveStream = async (
  queryable: Queryable,
  secrets: Secrets,
  owner: LiveStreamOwner,
): Promise<LiveStreamRow> => {
  await findProject(queryable, owner.accountId, owner.projectId)
  const found = await streamOf(queryable, owner).executeTakeFirst()
  if (found !== undefined) return found
  await makeStream(queryable, secrets, owner)
  return streamOf(queryable, owner).executeTakeFirstOrThrow()
}

/** Like `openLiveStream`, but locks the project and the stream until the transaction ends. */
export const lockLiveStream = async (
  tx: Tx,
  secrets: Secrets,
  owner: LiveStreamOwner,
): Promise<LiveStreamRow> => {
  await lockProject(tx, owner.accountId, owner.projectId)
  const locked = () => streamOf(tx, owner).forNoKeyUpdate()
  const found = await locked().executeTakeFirst()
  if (found !== undefined) return found
  await makeStream(tx, secrets, owner)
  return locked().executeTakeFirstOrThrow()
}

/**
 * Locks the project and the stream for the live node, which also ends the broadcast of a deleted project.
 * Throws 'not_found' when the project is purged.
 */
export const lockStreamOfNode = async (tx: Tx, owner: LiveStreamOwner): Promise<LiveStreamRow> => {
  await lockAnyProject(tx, owner.accountId, owner.projectId)
  return streamOf(tx, owner).forNoKeyUpdate().executeTakeFirstOrThrow()
}

/** Columns that the API writes; the live node writes the others. */
export type LiveStreamChange = Partial<
  Pick<
    LiveStreamRow,
    | 'kind'
    | 'sealed_source_uri'
    | 'sealed_stream_key'
    | 'stream_key_hash'
    | 'sealed_srt_passphrase'
    | 'title'
    | 'release_status'
    | 'is_low_latency'
    | 'timeshift_seconds'
    | 'reconnect_seconds'
    | 'is_transcoded'
    | 'is_auto_recorded'
    | 'is_enabled'
  >
> & { readonly renditions?: string }

/** Increments the version, which the live node then applies. Writes nothing when no value changes. */
export const changeLiveStream = async (
  tx: Tx,
  stream: LiveStreamRow,
  change: LiveStreamChange,
): Promise<LiveStreamRow> => {
  if (isUnchanged(stream, change)) return stream
  return tx
    .updateTable('live_streams')
    .set((set) => ({ ...change, updated_at: new Date(), version: set('version', '+', 1) }))
    .where('project_id', '=', stream.project_id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/**
 * Increments the version for a change beside the settings that the live node must apply: a request for the
 * broadcast, or a target.
 */
export const countVersion = async (
  tx: Tx,
  stream: LiveStreamRow,
  wish: Partial<Pick<LiveStreamRow, 'stops_wanted' | 'is_recording_wanted'>> = {},
): Promise<LiveStreamRow> =>
  tx
    .updateTable('live_streams')
    .set((set) => ({ ...wish, version: set('version', '+', 1) }))
    .where('project_id', '=', stream.project_id)
    .returningAll()
    .executeTakeFirstOrThrow()

/** Whether viewers see the stream, or will see it when its publisher returns. */
export const isOnline = ({ state }: Pick<LiveStreamRow, 'state'>): boolean =>
  state === 'online' || state === 'reconnecting'

/** Whether the node has applied the current settings. */
export const isSynced = ({
  node_id,
  version,
  applied_version,
}: Pick<LiveStreamRow, 'node_id' | 'version' | 'applied_version'>): boolean =>
  node_id === null || applied_version >= version
