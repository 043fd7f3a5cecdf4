import { buffer } from 'node:stream/consumers'
import { MediaError } from '@zoetrope/ffmpeg'
import { LRUCache } from 'lru-cache'
import { newMessage } from '../../platform/base/message.ts'
import { Problem } from '../../platform/base/problem.ts'
import { createCapacity } from '../access/capacity.ts'
import { createReadyRuns } from './ready-runs.ts'

/** Holds about two thousand thumbnails. */
const maxCacheBytes = 32 * 1024 * 1024
const maxWaiting = 32
const waitMs = 2_000

const busy = (): Problem => new Problem('too_many_thumbnails', {}, { headers: { 'Retry-After': '1' } })

const noFfmpeg = (): Problem => new Problem('thumbnails_not_available')

/** ffmpeg reads from a pipe, so a missing file can only be the program itself. */
const isFfmpegMissing = (error: MediaError): boolean => /No such file or directory|ENOENT/.test(error.details)

/** Whether the picture is complete: JPEG ends with the marker EOI, and the header of WebP contains the size. */
const isWhole = (picture: Buffer): boolean => {
  if (picture.length < 12) return false
  if (picture.readUInt16BE(0) === 0xffd8) return picture.readUInt16BE(picture.length - 2) === 0xffd9
  return picture.toString('latin1', 0, 4) === 'RIFF' && picture.readUInt32LE(4) + 8 === picture.length
}

export interface PictureJob {
  readonly arguments: readonly string[]
  readonly stream: () => Promise<Buffer[]>
  /** Requests with the same arguments are likely to follow, as for the pictures of one page. */
  readonly isRepeated: boolean
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
  // With two, a request that follows at once does not wait while ffmpeg loads.
  const perArguments = Math.min(2, slots)
  const readyRuns = createReadyRuns({ perArguments, most: slots + perArguments, ffmpegPath })
  let waiting = 0

  const decode = async ({ arguments: args, stream, isRepeated }: PictureJob): Promise<Buffer> => {
    const parts = await stream()
    const { run, feed } = readyRuns.take(args)
    feed(parts)
    const body = await buffer(run.pipes[0]!)
    // ffmpeg needs about 10 ms to exit; only an incomplete picture needs its exit code.
    if (!isWhole(body)) await run.done
    if (isRepeated) readyRuns.prepare(args)
    if (body.length === 0) throw new MediaError('corrupt', newMessage('picture_not_decoded'))
    return body
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
    close: async () => readyRuns.close(),
  }
}
