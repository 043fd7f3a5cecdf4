import type { Log } from '../../platform/log/log.ts'
import { broadcastOf } from '../control/store/live-broadcasts.ts'
import type { Admissions } from './ingest/admission/admit-publisher.ts'
import type { StoreOptions } from './cluster/broadcast-store.ts'
import { healBroadcast } from './cluster/heal-broadcast.ts'
import type { Broadcast } from './broadcast/broadcast.ts'
import type { Broadcasts } from './broadcast/broadcasts.ts'
import { readOwnedStreams, readStream, type OwnedStream } from './cluster/owned-stream.ts'

export interface Reconciliation {
  readonly syncOne: (projectId: number) => Promise<void>
  readonly syncAll: () => Promise<void>
}

interface ReconciliationOptions extends StoreOptions {
  readonly broadcasts: Broadcasts
  readonly admissions: Admissions
  readonly log: Log
}

/**
 * The API writes the wanted state into the row of a stream; the node of the stream reads the row and applies
 * it.
 */
export const createReconciliation = (options: ReconciliationOptions): Reconciliation => {
  const { database, nodeId, broadcasts, admissions, log } = options

  const isHeld = (projectId: number): boolean =>
    admissions.isClaiming(projectId) || broadcasts.of(projectId) !== undefined

  const syncRow = async (row: OwnedStream): Promise<void> => {
    const projectId = row.project_id
    if (admissions.isClaiming(projectId)) return
    const broadcast = broadcasts.of(projectId)
    // The row was read before the broadcast was claimed.
    if (broadcast !== undefined && row.epoch < broadcast.epoch) return
    if (broadcast !== undefined)
      return broadcast.isOwner(row) ? broadcast.apply(row) : broadcast.yieldToOwner()
    // Left by a node that went down, or by an earlier run of this one.
    if (row.state === 'reconnecting') {
      const left = await broadcastOf(database.kysely, row)
      // The broadcast may have ended since the row was read.
      if (left?.ended_at === null && !isHeld(projectId))
        await broadcasts.open({ stream: row, broadcast: left })
      return
    }
    if (row.state !== 'offline') return healBroadcast(options, row, () => isHeld(projectId))
    // Without a broadcast, all settings count as applied.
    if (row.applied_version < row.version)
      await database.kysely
        .updateTable('live_streams')
        .set({ applied_version: row.version })
        .where('project_id', '=', projectId)
        .where('applied_version', '<', row.version)
        .execute()
  }

  /** Closes those of these broadcasts whose stream belongs to another node. */
  const yieldAllBut = (owned: ReadonlySet<number>, all: readonly Broadcast[]): void => {
    for (const broadcast of all) {
      const { project_id } = broadcast.stream
      if (!owned.has(project_id) && !admissions.isClaiming(project_id)) broadcast.yieldToOwner()
    }
  }

  const release = async (): Promise<void> => {
    const expired = broadcasts.takeExpired().filter((projectId) => broadcasts.of(projectId) === undefined)
    if (expired.length === 0) return
    await database.kysely
      .updateTable('live_streams')
      .set({ node_id: null })
      .where('project_id', 'in', expired)
      .where('node_id', '=', nodeId)
      .where('state', '=', 'offline')
      .execute()
  }

  return {
    syncOne: async (projectId) => {
      const row = await readStream(database.kysely, projectId)
      if (row?.node_id === nodeId) await syncRow(row)
    },
    syncAll: async () => {
      // Broadcasts that begin after the query are missing in its rows.
      const before = broadcasts.all()
      const rows = await readOwnedStreams(database.kysely, nodeId)
      yieldAllBut(new Set(rows.map(({ project_id }) => project_id)), before)
      for (const row of rows)
        await syncRow(row).catch((error: unknown) =>
          log.warn(
            { err: error, projectId: row.project_id },
            'a live stream does not match its settings yet',
          ),
        )
      await release()
    },
  }
}
