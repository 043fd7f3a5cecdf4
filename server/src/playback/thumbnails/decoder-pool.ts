import {
  startDecoder,
  type DecodedVideo,
  type DecoderProcess,
  type PictureStream,
} from './decoder-process.ts'

const idleMs = 10_000

/** Keeps decoders for the next picture of the same video, until they were idle for ten seconds. */
export interface DecoderPool {
  /** `key` identifies the video and its arguments: a process never decodes media of two videos. */
  readonly picture: (key: string, video: DecodedVideo, stream: PictureStream) => Promise<Buffer>
  readonly close: () => void
}

export const createDecoderPool = (options: {
  readonly mostIdle: number
  readonly ffmpegPath?: string | undefined
}): DecoderPool => {
  // In the order of their last use.
  const idle = new Map<DecoderProcess, { readonly key: string; readonly timer: NodeJS.Timeout }>()
  let isClosed = false

  const remove = (decoder: DecoderProcess): void => {
    clearTimeout(idle.get(decoder)?.timer)
    idle.delete(decoder)
  }
  const stop = (decoder: DecoderProcess): void => {
    remove(decoder)
    decoder.stop()
  }

  const take = (key: string, video: DecodedVideo): DecoderProcess => {
    for (const [decoder, waiting] of [...idle].toReversed()) {
      if (waiting.key !== key) continue
      remove(decoder)
      if (decoder.canContinue()) return decoder
      decoder.stop()
    }
    const decoder = startDecoder(video, options.ffmpegPath)
    // A process that has ended by itself must not be taken.
    decoder.onExit(() => remove(decoder))
    return decoder
  }

  const keep = (key: string, decoder: DecoderProcess): void => {
    if (isClosed || !decoder.canContinue()) return decoder.stop()
    idle.set(decoder, { key, timer: setTimeout(() => stop(decoder), idleMs).unref() })
    const [oldest] = idle.keys()
    if (idle.size > options.mostIdle && oldest !== undefined) stop(oldest)
  }

  return {
    picture: async (key, video, stream) => {
      const decoder = take(key, video)
      try {
        const picture = await decoder.next(stream)
        keep(key, decoder)
        return picture
      } catch (error) {
        decoder.stop()
        throw error
      }
    },
    close: () => {
      isClosed = true
      for (const decoder of idle.keys()) stop(decoder)
    },
  }
}
