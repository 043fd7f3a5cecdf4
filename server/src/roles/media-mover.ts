import { setTimeout as delay } from 'node:timers/promises'
import { diskNameOf } from '../files/disk-name.ts'
import { moveMedia, type MediaMove } from '../files/move-media.ts'
import type { Services } from './services.ts'

/** Any constant works as long as nothing else takes this advisory lock. */
const moverLock = 7_304_211
/** Files that are worked on, and other machines with a disk of their own, are looked for again. */
const pauseMs = 60_000

/** One process of the whole installation at a time; the lock ends with its connection, however the process ends. */
const moveAlone = async (
  move: MediaMove,
  signal: AbortSignal,
): Promise<Awaited<ReturnType<typeof moveMedia>> | null> =>
  move.database.onOneConnection(async (connection) => {
    const [row] = await connection.run(
      (client) => client<{ is_ours: boolean }[]>`select pg_try_advisory_lock(${moverLock}) as is_ours`,
    )
    if (row?.is_ours !== true) return null
    try {
      return await moveMedia(move, signal)
    } finally {
      await connection
        .run((client) => client`select pg_advisory_unlock(${moverLock})`)
        .catch(connection.discard)
    }
  })

/** Moves the media of the former store as long as the worker runs, and tells the log how it goes. */
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
        return moveAlone({ ...moving, database, disk, log }, signal)
      }
      const result = await move().catch((error: unknown) => {
        log.warn({ err: error }, 'media is not being moved just now')
        return null
      })
      if (result !== null && !signal.aborted) {
        const isDone = result.waitingFiles === 0 && result.failedFiles === 0
        if (!isDone || result.movedFiles > 0) log.info(result, 'media was moved to the present storage')
        if (isDone && !wasDone)
          log.info(
            {},
            'all media that this machine sees lies in the present storage; when each machine with a disk of its own says so, ZOETROPE_FORMER_STORAGE may be taken out',
          )
        wasDone = isDone
      }
      await delay(pauseMs, null, { signal }).catch(() => {})
    }
  }
  const running = run()
  return {
    // A blob that is being copied may be large; whoever is cut off here goes on where it was the next time.
    stop: async (graceMs) => {
      stopping.abort()
      await Promise.race([running, delay(graceMs, null, { ref: false })])
    },
  }
}
