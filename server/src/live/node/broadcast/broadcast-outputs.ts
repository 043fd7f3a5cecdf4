import type { LiveSink } from '@zoetrope/ll-hls'
import type { MediaMessage } from '@zoetrope/rtmp'
import type { BroadcastOutput } from '../channel/broadcast-output.ts'
import type { OwnedStream } from '../cluster/owned-stream.ts'
import type { Dvr } from '../outputs/dvr/create-dvr.ts'
import type { OutputSet } from './output-context.ts'

export const createBroadcastOutputs = (dvr: Dvr, { recorder, transcoders, others, sync }: OutputSet) => {
  const all: readonly BroadcastOutput[] = [dvr, recorder, ...transcoders, ...others]
  return {
    recorder,
    sinks: all.flatMap(({ sink }): LiveSink[] => (sink === undefined ? [] : [sink])),
    hasTranscoders: transcoders.length > 0,
    onMessage: (message: MediaMessage): void => {
      for (const output of all) output.onMessage?.(message)
    },
    onGone: (): void => {
      for (const output of all) output.onGone?.()
    },
    follow: (stream: OwnedStream): void => {
      if (stream.is_recording_wanted) recorder.start()
      else void recorder.finish()
      sync()
    },
    stopTranscoders: (why: 'ended' | 'shutdown'): Promise<void>[] =>
      transcoders.map(async (output) => output.stop(why)),
    stopOthers: (why: 'ended' | 'shutdown'): Promise<void>[] =>
      all.filter((output) => !transcoders.includes(output)).map(async (output) => output.stop(why)),
  }
}

export type BroadcastOutputs = ReturnType<typeof createBroadcastOutputs>
