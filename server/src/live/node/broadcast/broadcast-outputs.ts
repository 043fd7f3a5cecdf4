import type { LiveSink } from '@zoetrope/ll-hls'
import type { MediaMessage } from '@zoetrope/rtmp'
import type { SessionPart } from '../channel/session-part.ts'
import type { OwnedStream } from '../cluster/owned-stream.ts'
import type { Dvr } from '../outputs/dvr/create-dvr.ts'
import type { SessionParts } from './session-context.ts'

/** All outputs of a broadcast as one. */
export const createBroadcastOutputs = (dvr: Dvr, { recorder, feeders, parts, sync }: SessionParts) => {
  const all: readonly SessionPart[] = [dvr, recorder, ...feeders, ...parts]
  return {
    recorder,
    sinks: all.flatMap(({ sink }): LiveSink[] => (sink === undefined ? [] : [sink])),
    hasFeeders: feeders.length > 0,
    onMessage: (message: MediaMessage): void => {
      for (const part of all) part.onMessage?.(message)
    },
    onGone: (): void => {
      for (const part of all) part.onGone?.()
    },
    /** Applies changes of the stream and of the rows below it. */
    follow: (stream: OwnedStream): void => {
      if (stream.is_recording_wanted) recorder.start()
      else void recorder.finish()
      sync()
    },
    stopFeeders: (why: 'ended' | 'shutdown'): Promise<void>[] => feeders.map(async (part) => part.stop(why)),
    stopOthers: (why: 'ended' | 'shutdown'): Promise<void>[] =>
      all.filter((part) => !feeders.includes(part)).map(async (part) => part.stop(why)),
  }
}

export type BroadcastOutputs = ReturnType<typeof createBroadcastOutputs>
