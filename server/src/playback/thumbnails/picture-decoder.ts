import { MediaError } from '@zoetrope/ffmpeg'
import { LRUCache } from 'lru-cache'
import { Problem } from '../../platform/base/problem.ts'
import { createCapacity } from '../access/capacity.ts'
import { createDecoderPool } from './decoder-pool.ts'
import { startDecoder, type DecodedVideo, type PictureStream } from './decoder-process.ts'

/** Holds about two thousand thumbnails. */
const maxCacheBytes = 32 * 1024 * 1024
const maxWaiting = 32
const waitMs = 2_000

const busy = (): Problem => new Problem('too_many_thumbnails', {}, { headers: { 'Retry-After': '1' } })

const noFfmpeg = (): Problem => new Problem('thumbnails_not_available')

/** ffmpeg reads from a pipe, so a missing file can only be the program itself. */
const isFfmpegMissing = (error: MediaError): boolean => /No such file or directory|ENOENT/.test(error.details)

export interface PictureJob extends DecodedVideo {
  /** Identifies the video together with the arguments. Null: this is an animation, which no other follows. */
  readonly videoKey: string | null
  readonly stream: PictureStream
}

/**
 * Makes pictures with ffmpeg, a few at a time, and caches them. Requests for the same picture share one run.
 */
export interface PictureDecoder {
  readonly picture: (key: string, job: PictureJob) => Promise<Buffer>
  readonly close: () => Promise<void>
}

export const createPictureDecoder = (options: {
  /** Number of concurrent runs; 0 disables pictures. */
  readonly slots: number
  readonly ffmpegPath?: string
}): PictureDecoder => {
  const { slots, ffmpegPath } = options
  const capacity = createCapacity(Math.max(1, slots), waitMs, busy)
  const pool = createDecoderPool({ mostIdle: slots, ffmpegPath })
  let waiting = 0

  const decode = async (job: PictureJob): Promise<Buffer> => {
    if (job.videoKey !== null) return pool.picture(job.videoKey, job, job.stream)
    const decoder = startDecoder(job, ffmpegPath)
    try {
      return await decoder.last(job.stream)
    } finally {
      decoder.stop()
    }
  }

  const make = async (job: PictureJob): Promise<Buffer> => {
    if (slots === 0) throw noFfmpeg()
    if (waiting >= maxWaiting) throw busy()
    waiting++
    try {
      return await capacity.use(1, () => decode(job))
    } catch (error) {
      if (!(error instanceof MediaError)) throw error
      if (isFfmpegMissing(error)) throw noFfmpeg()
      throw new Problem('no_thumbnail_at_time', {}, { cause: error })
    } finally {
      waiting--
    }
  }

  const pictures = new LRUCache<string, Buffer, PictureJob>({
    maxSize: maxCacheBytes,
    sizeCalculation: (body) => body.length,
    fetchMethod: (_key, _stale, { context }) => make(context),
    ignoreFetchAbort: true,
  })
  return {
    picture: async (key, job) => (await pictures.fetch(key, { context: job }))!,
    close: async () => pool.close(),
  }
}
