import { tmpdir } from 'node:os'
import { buffer } from 'node:stream/consumers'
import { MediaError, runFfmpeg } from '@zoetrope/ffmpeg'
import { LRUCache } from 'lru-cache'
import { Problem } from '../../platform/base/problem.ts'
import { createCapacity } from '../access/capacity.ts'

/** Holds about two thousand thumbnails. */
const maxCacheBytes = 32 * 1024 * 1024
const maxWaiting = 32
const waitMs = 2_000
const limits = { niceness: 0, wallSeconds: 20, cpuSeconds: 20 } as const

const busy = (): Problem =>
  new Problem('rate_limited', 'Too many pictures are being made at the moment; try again.', {
    headers: { 'Retry-After': '1' },
  })

const noFfmpeg = (): Problem =>
  new Problem('unavailable', 'This server makes no thumbnails: ffmpeg is not available on it.')

/** ffmpeg reads from a pipe, so a missing file can only be the program itself. */
const isFfmpegMissing = (error: MediaError): boolean => /No such file or directory|ENOENT/.test(error.details)

export interface PictureJob {
  readonly arguments: readonly string[]
  readonly stream: () => Promise<Buffer[]>
}

/**
 * Makes pictures with ffmpeg, a few at a time, and caches them. Requests for the same picture share one run.
 */
export interface PictureDecoder {
  readonly picture: (key: string, job: PictureJob) => Promise<Buffer>
}

async function* inOrder(parts: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* parts
}

export const createPictureDecoder = (options: {
  /** Number of concurrent runs; 0 disables pictures. */
  readonly slots: number
  readonly ffmpegPath?: string
}): PictureDecoder => {
  const { slots, ffmpegPath } = options
  const capacity = createCapacity(Math.max(1, slots), waitMs, busy)
  let waiting = 0

  const decode = async ({ arguments: args, stream }: PictureJob): Promise<Buffer> => {
    const parts = await stream()
    const run = runFfmpeg(args, {
      outputPipes: 1,
      input: inOrder(parts),
      workFolder: tmpdir(),
      limits,
      ffmpegPath,
    })
    const [body] = await Promise.all([buffer(run.pipes[0]!), run.done])
    if (body.length === 0) throw new MediaError('corrupt', 'The picture could not be decoded.')
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
      throw new Problem('not_found', 'There is no picture at this time: the video cannot be decoded there.', {
        cause: error,
      })
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
  return { picture: async (key, job) => (await pictures.fetch(key, { context: job }))! }
}
