import type { Probe } from '@zoetrope/ffmpeg'
import type { Movie } from '@zoetrope/isobmff'
import {
  copyableAudio,
  planPassthroughTracks,
  type PassthroughTracks,
  type SourceChanges,
} from './plan-source.ts'

export const audioOfRemux = (probe: Probe, { isAudioChanged }: SourceChanges): number[] =>
  (isAudioChanged ? [] : copyableAudio(probe)).map(({ index }) => index)

/** Returns the playable tracks of a remux; null when the remux does not help. Pure. */
export const planRemuxedTracks = (
  remux: { readonly movie: Movie | null; readonly probe: Probe; readonly blob: string },
  source: Probe,
  changes: SourceChanges,
): PassthroughTracks | null => {
  const copiedAudio = audioOfRemux(source, changes)
  const { video, audio: moved } = planPassthroughTracks(remux.movie, remux.probe, changes, remux.blob)
  // The remux contains the tracks in the requested order.
  const sourceIndex = new Map(
    remux.probe.audio.map(({ index }, number) => [index, copiedAudio[number] ?? index]),
  )
  const audio = moved.map((one) => ({
    ...one,
    streamIndex: sourceIndex.get(one.streamIndex) ?? one.streamIndex,
  }))
  return (source.video === null ? audio.length === 0 : video === null) ? null : { video, audio }
}
