import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Log } from '../../../../platform/log/log.ts'
import { isBrokenName, parseRecordingName } from './recording-name.ts'
import { failRecording } from './end-recording.ts'
import { beginRecording } from './recording-store.ts'
import { isInStore, isNotFound, isThere, saveRecording, type SaveDependencies } from './save-recording.ts'

/** Longest absence of a machine with recordings on its disk. */
const lostAfterDays = 7
/** Longer than any reconnect window, in which nothing is written. */
const defaultStrayAfterMs = 3_600_000

const isOfLostNode = sql<boolean>`not exists (
  select from live_nodes where live_nodes.id = live_recordings.node_id)`

export interface UnsavedDependencies extends SaveDependencies {
  readonly log: Log
  /** Whether the process of another node on this data folder still runs, although its row is gone. */
  readonly isRunningHere: (nodeId: string) => Promise<boolean>
  readonly strayAfterMs?: number
}

/** Recordings that are not Files yet: those of this node, and those of killed nodes in the same folder. */
export interface UnsavedRecordings {
  /** Leaves the file alone while a recorder writes it, until the returned function is called. */
  readonly hold: (fileName: string) => () => void
  /**
   * Saves a recording at once; `saveAll` retries a failure. Returns the id of the File, or null when there is
   * none yet. Never rejects.
   */
  readonly save: (fileName: string) => Promise<number | null>
  readonly saveAll: () => Promise<void>
  readonly settled: () => Promise<void>
}

export const createUnsavedRecordings = (dependencies: UnsavedDependencies): UnsavedRecordings => {
  const { database, folder, log, nodeId, strayAfterMs = defaultStrayAfterMs } = dependencies
  const held = new Set<string>()
  const saving = new Map<string, Promise<number | null>>()

  const save = (fileName: string): Promise<number | null> => {
    const underWay = saving.get(fileName)
    if (underWay !== undefined) return underWay
    const begun = saveNow(fileName)
      .catch((error: unknown) => {
        log.warn({ err: error, fileName }, 'cannot save a recording; retrying')
        return null
      })
      .finally(() => saving.delete(fileName))
    saving.set(fileName, begun)
    return begun
  }

  /** Reads the row itself, because a row from an earlier query may lack how the recording ended. */
  const saveNow = async (fileName: string): Promise<number | null> => {
    const row = await unsaved().selectAll().where('file_name', '=', fileName).executeTakeFirst()
    return row === undefined ? null : saveRecording(dependencies, row)
  }

  const unsaved = () =>
    database.kysely.selectFrom('live_recordings').where('state', 'in', ['recording', 'finishing'])

  /**
   * Saves the recordings of this node and of removed nodes. A node that is only silent may still be writing.
   */
  const saveAll = async (): Promise<void> => {
    const rows = await unsaved()
      .select(['file_name', 'node_id', 'is_stored'])
      .where((where) => where.or([where('node_id', '=', nodeId), isOfLostNode]))
      // The next owner of the stream continues a recording in the media storage.
      .where((where) =>
        where.or([
          where('is_stored', '=', false),
          where('state', '=', 'finishing'),
          where.exists(
            where
              .selectFrom('live_broadcasts')
              .select('id')
              .whereRef('live_broadcasts.id', '=', 'live_recordings.broadcast_id')
              .where('ended_at', 'is not', null),
          ),
        ]),
      )
      .orderBy('id')
      .execute()
    for (const { file_name: fileName, node_id: writerId, is_stored: isStored } of rows) {
      if (held.has(fileName)) continue
      const mayWrite = !isStored && writerId !== nodeId && (await dependencies.isRunningHere(writerId))
      if (!mayWrite) await save(fileName)
    }
    await giveUpLost()
    await settleStrays()
  }

  const giveUpLost = async (): Promise<void> => {
    const lost = await unsaved()
      .selectAll()
      .where('is_stored', '=', false)
      .where(isOfLostNode)
      .where('started_at', '<', sql<Date>`now() - make_interval(days => ${lostAfterDays})`)
      .execute()
    for (const row of lost.filter(({ file_name }) => !held.has(file_name)))
      await isolated({ recordingId: row.id }, async () => {
        if (await isThere(join(folder, row.file_name))) return
        if (await isInStore(dependencies, row)) return
        await failRecording(dependencies, row, 'The machine that recorded the broadcast did not return.')
      })
  }

  /**
   * Finds files without a row, which a node recorded during a database outage before it was killed, and files of
   * recordings that are over: a node was killed before it removed them, or its machine returned too late.
   */
  const settleStrays = async (): Promise<void> => {
    const names = (await readdir(folder)).filter((fileName) => !isBrokenName(fileName))
    for (const fileName of names)
      await isolated({ fileName }, async () => {
        if (held.has(fileName) || saving.has(fileName)) return
        const found = await stat(join(folder, fileName)).catch(() => null)
        if (found === null || found.mtimeMs > Date.now() - strayAfterMs) return
        const row = await database.kysely
          .selectFrom('live_recordings')
          .selectAll()
          .where('file_name', '=', fileName)
          .executeTakeFirst()
        if (row === undefined) await adopt(fileName)
        else if (row.state === 'finished') await rm(join(folder, fileName), { force: true })
        else if (row.state === 'failed') await saveRecording(dependencies, row)
      })
  }

  /** A failure does not stop the work on other recordings. */
  const isolated = async (what: object, work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      log.warn({ err: error, ...what }, 'cannot clean up a recording yet')
    }
  }

  const adopt = async (fileName: string): Promise<void> => {
    const recording = parseRecordingName(fileName)
    const isAdopted =
      recording !== null &&
      (await beginRecording(dependencies, { ...recording, fileName, nodeId }).then(
        () => true,
        (error: unknown) => {
          if (isNotFound(error)) return false
          throw error
        },
      ))
    if (!isAdopted) await rm(join(folder, fileName), { force: true })
  }

  return {
    hold: (fileName) => {
      held.add(fileName)
      return () => void held.delete(fileName)
    },
    save,
    saveAll,
    settled: async () => {
      await Promise.all(saving.values())
    },
  }
}
