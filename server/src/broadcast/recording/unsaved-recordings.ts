import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Log } from '../../kernel/log.ts'
import type { LiveRecordingRow } from '../../live/live-recordings.ts'
import { parseRecordingName } from './recording-name.ts'
import { beginRecording, failRecording } from './recording-store.ts'
import { isNotFound, saveRecording, type SaveDependencies } from './save-recording.ts'

/** A node that has not been seen for so long is dead (`live_nodes`). */
const deadAfterSeconds = 10
/** A machine may be away for so long with the recordings on its disk. */
const lostAfterDays = 7
/** Longer than any reconnect window, in which nothing is written. */
const defaultStrayAfterMs = 3_600_000

export interface UnsavedDependencies extends SaveDependencies {
  readonly log: Log
  readonly strayAfterMs?: number
}

/** Recordings that are still to become Files: of this node, and of killed ones whose bytes lie in the same folder. */
export interface UnsavedRecordings {
  /** Somebody writes this file; until the returned function is called it is left alone. */
  readonly hold: (fileName: string) => () => void
  /** At once. What fails is tried again by `saveAll`. Answers the File's id; null where there is none yet. Never rejects. */
  readonly save: (fileName: string) => Promise<number | null>
  readonly saveAll: () => Promise<void>
  readonly settled: () => Promise<void>
}

export const createUnsavedRecordings = (dependencies: UnsavedDependencies): UnsavedRecordings => {
  const { database, folder, log, nodeId, strayAfterMs = defaultStrayAfterMs } = dependencies
  const held = new Set<string>()
  const saving = new Map<string, Promise<number | null>>()

  const save = (row: LiveRecordingRow): Promise<number | null> => {
    const { file_name: fileName } = row
    const underWay = saving.get(fileName)
    if (underWay !== undefined) return underWay
    const begun = saveRecording(dependencies, row)
      .catch((error: unknown) => {
        log.warn({ err: error, recordingId: row.id }, 'a recording could not be saved; it is tried again')
        return null
      })
      .finally(() => saving.delete(fileName))
    saving.set(fileName, begun)
    return begun
  }

  const unsaved = () =>
    database.kysely.selectFrom('live_recordings').selectAll().where('state', 'in', ['recording', 'finishing'])

  const saveAll = async (): Promise<void> => {
    const rows = await unsaved()
      .where((where) =>
        where.or([
          where('node_id', '=', nodeId),
          where.not(
            where.exists(
              where
                .selectFrom('live_nodes')
                .select('id')
                .whereRef('live_nodes.id', '=', 'live_recordings.node_id')
                .where('seen_at', '>', sql<Date>`now() - make_interval(secs => ${deadAfterSeconds})`),
            ),
          ),
        ]),
      )
      .orderBy('id')
      .execute()
    for (const row of rows.filter(({ file_name }) => !held.has(file_name))) await save(row)
    await giveUpLost()
    await adoptStrays()
  }

  const giveUpLost = async (): Promise<void> => {
    const lost = await unsaved()
      .where('started_at', '<', sql<Date>`now() - make_interval(days => ${lostAfterDays})`)
      .execute()
    for (const row of lost.filter(({ file_name }) => !held.has(file_name)))
      if (!(await isThere(join(folder, row.file_name))))
        await failRecording(dependencies, row, 'The machine that recorded it did not come back.')
  }

  /** What was recorded while the database was away, by a node that was killed before it came back, has no row. */
  const adoptStrays = async (): Promise<void> => {
    for (const fileName of await readdir(folder)) {
      if (held.has(fileName) || saving.has(fileName)) continue
      const found = await stat(join(folder, fileName)).catch(() => null)
      if (found === null || found.mtimeMs > Date.now() - strayAfterMs) continue
      const row = await database.kysely
        .selectFrom('live_recordings')
        .select('id')
        .where('file_name', '=', fileName)
        .executeTakeFirst()
      if (row === undefined) await adopt(fileName)
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
    save: async (fileName) => {
      const row = await unsaved()
        .where('file_name', '=', fileName)
        .executeTakeFirst()
        .catch((error: unknown) => log.warn({ err: error }, 'a recording is saved later'))
      return row === undefined || row === null ? null : save(row)
    },
    saveAll,
    settled: async () => {
      await Promise.all(saving.values())
    },
  }
}

const isThere = async (path: string): Promise<boolean> => (await stat(path).catch(() => null)) !== null
