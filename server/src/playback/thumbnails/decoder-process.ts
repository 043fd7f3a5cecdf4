import { PassThrough, type Readable } from 'node:stream'
import { MediaError, runFfmpeg, thumbnailIntervalSeconds } from '@zoetrope/ffmpeg'
import { newMessage } from '../../platform/base/message.ts'

/** Bytes for the decoder, with the wanted picture at this time. */
export type PictureStream = (atSeconds: number) => Promise<Buffer[]>

/** Video of which pictures are made with certain arguments. */
export interface DecodedVideo {
  readonly arguments: readonly string[]
  readonly header: () => Promise<Buffer>
}

const pictureSeconds = 20
/** A process ends after this time, or after decoding for this long. */
const maxAgeMs = 60_000
const maxBusyMs = 5_000
const limits = { niceness: 0, wallSeconds: maxAgeMs / 1000 + pictureSeconds, cpuSeconds: 60 } as const

/** The decoder delays pictures by a number of frames that a stream may understate. Its end brings out all. */
const endAfterMs = 300

/** Whether the picture is complete: JPEG ends with the marker EOI, and the header of WebP contains the size. */
const isWhole = (picture: Buffer): boolean => {
  if (picture.length < 12) return false
  if (picture.readUInt16BE(0) === 0xffd8) return picture.readUInt16BE(picture.length - 2) === 0xffd9
  return picture.toString('latin1', 0, 4) === 'RIFF' && picture.readUInt32LE(4) + 8 === picture.length
}

/** Returns the next picture, or what came before the end. */
const readPicture = async (pipe: Readable): Promise<Buffer> => {
  let picture = Buffer.alloc(0)
  for await (const chunk of pipe.iterator({ destroyOnReturn: false })) {
    picture = Buffer.concat([picture, chunk as Buffer])
    if (isWhole(picture)) break
  }
  return picture
}

/**
 * One run of ffmpeg that decodes pictures of one video, one after the other. Loading ffmpeg takes longer than
 * decoding most pictures.
 */
export interface DecoderProcess {
  /** Throws a MediaError. */
  readonly next: (stream: PictureStream) => Promise<Buffer>
  /** Decodes what must be the last picture, or an animation. */
  readonly last: (stream: PictureStream) => Promise<Buffer>
  readonly canContinue: () => boolean
  /** Called when ffmpeg has exited. */
  readonly onExit: (listener: () => void) => void
  readonly stop: () => void
}

export const startDecoder = (video: DecodedVideo, ffmpegPath?: string): DecoderProcess => {
  const input = new PassThrough()
  const abort = new AbortController()
  const { done, pipes } = runFfmpeg(video.arguments, {
    ...{ outputPipes: 1, input, limits, ffmpegPath },
    signal: abort.signal,
  })
  const startedAt = performance.now()
  let busyMs = 0
  let pictures = 0
  let hasExited = false
  const exit = (): void => {
    hasExited = true
  }
  done.then(exit, exit)

  const decode = async (stream: PictureStream, endAfter: number): Promise<Buffer> => {
    const begunAt = performance.now()
    const isFirst = pictures === 0
    pictures++
    const parts = [
      ...(isFirst ? [await video.header()] : []),
      ...(await stream(pictures * thumbnailIntervalSeconds)),
    ]
    for (const part of parts) input.write(part)
    const ending = setTimeout(() => input.end(), endAfter)
    const expiry = setTimeout(() => abort.abort(), pictureSeconds * 1000)
    try {
      const picture = await readPicture(pipes[0]!)
      // ffmpeg needs about 10 ms to exit; only an incomplete picture needs its exit code.
      if (!isWhole(picture)) await done
      if (picture.length === 0) throw new MediaError('corrupt', newMessage('picture_not_decoded'))
      return picture
    } finally {
      clearTimeout(ending)
      clearTimeout(expiry)
      busyMs += performance.now() - begunAt
    }
  }

  return {
    next: async (stream) => decode(stream, endAfterMs),
    last: async (stream) => decode(stream, 0),
    canContinue: () =>
      !hasExited && !input.writableEnded && busyMs < maxBusyMs && performance.now() - startedAt < maxAgeMs,
    onExit: (listener) => void done.then(listener, listener),
    stop: () => abort.abort(),
  }
}
