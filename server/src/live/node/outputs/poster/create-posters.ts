import { setTimeout as delay } from 'node:timers/promises'
import type { LivePackager } from '@zoetrope/ll-hls'
import type { Database } from '../../../../platform/db/database.ts'
import type { Log } from '../../../../platform/log/log.ts'
import { findLivePoster, putLivePoster } from '../../../control/store/live-poster-store.ts'
import type { LiveChannel } from '../../channel/live-channel.ts'
import type { BroadcastOutput } from '../../channel/broadcast-output.ts'
import { takePoster, type TakePosterOptions } from './take-poster.ts'

export interface Posters {
  /** Creates the output of a broadcast that takes its first picture and keeps its last one. */
  readonly createOutput: (channel: LiveChannel) => BroadcastOutput
  /**
   * Returns a JPEG of the current or last broadcast, or null when there is none. A request also renews an old
   * picture.
   */
  readonly find: (playoutId: string, channel: LiveChannel | undefined) => Promise<Buffer | null>
  readonly stop: () => Promise<void>
}

export interface PostersOptions {
  readonly database: Pick<Database, 'kysely'>
  readonly workFolder: string
  readonly log: Log
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly take?: (packager: LivePackager, options: TakePosterOptions) => Promise<Buffer | null>
}

/**
 * Applies after a failure as well: media that cannot be decoded now cannot be decoded a second later either.
 */
const renewAfterMs = 30_000
/** Limits the age of the stored poster after a kill -9. */
const saveAfterMs = 300_000
/** Longest wait for the first picture of a broadcast, which may queue after those of many other streams. */
const patienceMs = 5_000

interface Taken {
  picture: Buffer | null
  takenAtMs: number
  triedAtMs: number
  savedAtMs: number
  isOver: boolean
  taking: Promise<void> | null
}

/**
 * Posters of the broadcasts of a node: one ffmpeg at a time, and at most one picture of each broadcast in the
 * queue.
 */
export const createPosters = (options: PostersOptions): Posters => {
  const { database, workFolder, log, now, take = takePoster } = options
  const { kysely } = database
  const broadcasts = new WeakMap<LiveChannel, Taken>()
  const stopping = new AbortController()
  let queue: Promise<void> = Promise.resolve()

  const takenOf = (channel: LiveChannel): Taken => {
    const known = broadcasts.get(channel)
    if (known !== undefined) return known
    const never = { takenAtMs: -Infinity, triedAtMs: -Infinity, savedAtMs: -Infinity }
    const taken = { ...never, picture: null, isOver: false, taking: null }
    broadcasts.set(channel, taken)
    return taken
  }

  const save = async ({ projectId }: LiveChannel, taken: Taken): Promise<void> => {
    const { picture, takenAtMs } = taken
    if (picture === null || taken.savedAtMs === takenAtMs) return
    taken.savedAtMs = takenAtMs
    await putLivePoster(kysely, projectId, { picture, takenAt: new Date(takenAtMs) }).catch(
      (error: unknown) => log.warn({ err: error, projectId }, 'cannot store the poster of a live stream'),
    )
  }

  const renew = async (channel: LiveChannel, taken: Taken): Promise<void> => {
    if (stopping.signal.aborted) return
    const takenAtMs = now()
    try {
      const picture = await take(channel.packager, { workFolder, signal: stopping.signal })
      // No segment is complete yet; the next request tries again.
      if (picture === null) return
      taken.triedAtMs = takenAtMs
      taken.picture = picture
      taken.takenAtMs = takenAtMs
    } catch (error) {
      taken.triedAtMs = takenAtMs
      if (!stopping.signal.aborted)
        log.info({ err: error, projectId: channel.projectId }, 'cannot create a poster of a live stream')
      return
    }
    if (taken.isOver || takenAtMs - taken.savedAtMs >= saveAfterMs) await save(channel, taken)
  }

  const renewIfOld = (channel: LiveChannel, taken: Taken): void => {
    if (taken.taking !== null || taken.isOver || now() - taken.triedAtMs < renewAfterMs) return
    taken.taking = queue
      .then(() => renew(channel, taken))
      .finally(() => {
        taken.taking = null
      })
    queue = taken.taking
  }

  return {
    createOutput: (channel) => {
      const taken = takenOf(channel)
      return {
        sink: {
          onSegment: (kind) => {
            if (kind === 'video' && taken.picture === null) renewIfOld(channel, taken)
          },
        },
        stop: async () => {
          taken.isOver = true
          await save(channel, taken)
        },
      }
    },
    find: async (playoutId, channel) => {
      if (channel !== undefined) {
        const taken = takenOf(channel)
        renewIfOld(channel, taken)
        if (taken.picture === null && taken.taking !== null) await inTime(taken.taking)
        if (taken.picture !== null) return taken.picture
      }
      return findLivePoster(kysely, playoutId)
    },
    stop: async () => {
      stopping.abort()
      await queue
    },
  }
}

const inTime = async (taking: Promise<void>): Promise<void> => {
  const given = new AbortController()
  const late = delay(patienceMs, undefined, { signal: given.signal }).catch(() => {})
  await Promise.race([taking, late])
  given.abort()
}
