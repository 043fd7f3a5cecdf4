import { setTimeout as delay } from 'node:timers/promises'
import { diskNameOf } from '../../library/files/media/disk-name.ts'
import { moveMedia, type MediaMove, type MoveResult } from '../../library/files/jobs/move-media.ts'
import { countStagedOnS3 } from '../../ingest/uploads/store/count-staged.ts'
import { countLiveInStore } from '../../live/control/store/count-live-in-store.ts'
import type { MovingStores, Services } from './services.ts'

/** Arbitrary constant, which no other code may use for an advisory lock. */
const moverLock = 7_304_211
/** Interval for the next attempt: files in use and machines with their own disks may have media to move. */
const pauseMs = 60_000

/**
 * Only one process of the installation moves media at a time. The lock ends with its connection, so also when
 * the process dies.
 */
const moveAlone = async (move: MediaMove, signal: AbortSignal): Promise<MoveResult | null> =>
  move.database.onOneConnection(async (connection) => {
    const [row] = await connection.rows<{ is_ours: boolean }>('select pg_try_advisory_lock($1) as is_ours', [
      moverLock,
    ])
    if (row?.is_ours !== true) return null
    try {
      return await moveMedia(move, signal)
    } finally {
      await connection.query('select pg_advisory_unlock($1)', [moverLock]).catch(() => connection.discard())
    }
  })

/** Counts what no move covers. It needs the former store until it is over. */
const countWaiting = async ({ config, database }: Services, { former }: MovingStores) => {
  const { recordings, dvrWindows } = await countLiveInStore(database, former)
  return {
    // Uploads on a disk do not depend on the storage of media.
    waitingUploads: config.formerStorage === 's3' ? await countStagedOnS3(database) : 0,
    waitingRecordings: recordings,
    waitingDvrWindows: dvrWindows,
  }
}

export const startMediaMover = (
  services: Services,
): { readonly stop: (graceMs: number) => Promise<void> } => {
  const { config, moving, database, log } = services
  if (moving === null) return { stop: async () => {} }
  const stopping = new AbortController()
  const { signal } = stopping

  const run = async (): Promise<void> => {
    let wasDone = false
    while (!signal.aborted) {
      const move = async () => {
        const disk = await diskNameOf(config.dataFolder)
        // Before the move, because what ends meanwhile may leave media to move.
        const waiting = await countWaiting(services, moving)
        const moved = await moveAlone({ ...moving, database, disk, log }, signal)
        return moved && { ...moved, ...waiting }
      }
      const result = await move().catch((error: unknown) => {
        log.warn({ err: error }, 'cannot move media; retrying later')
        return null
      })
      if (result !== null && !signal.aborted) {
        const { failedFiles, waitingFiles, waitingUploads, waitingRecordings, waitingDvrWindows } = result
        const waiting = waitingFiles + waitingUploads + waitingRecordings + waitingDvrWindows
        const isDone = waiting === 0 && failedFiles === 0
        if (!isDone || result.movedFiles > 0) log.info(result, 'moved media to the current storage')
        if (isDone && !wasDone)
          log.info(
            {},
            'all media that this machine sees is in the current storage; remove ZOETROPE_FORMER_STORAGE once every machine with its own disk logs this',
          )
        wasDone = isDone
      }
      await delay(pauseMs, null, { signal }).catch(() => {})
    }
  }
  const running = run()
  return {
    // A large blob may still be copying. The next run repeats an interrupted copy.
    stop: async (graceMs) => {
      stopping.abort()
      await Promise.race([running, delay(graceMs, null, { ref: false })])
    },
  }
}
