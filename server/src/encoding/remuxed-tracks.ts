import type { Probe } from '@zoetrope/ffmpeg'
import type { Movie } from '@zoetrope/isobmff'
import { copyableAudio, planTracksInPlace, type InPlaceTracks, type SourceChanges } from './plan-source.ts'

/** The stream indices of the sound that a remux takes along, in its order. */
export const audioOfRemux = (probe: Probe, { isAudioChanged }: SourceChanges): number[] =>
  (isAudioChanged ? [] : copyableAudio(probe)).map(({ index }) => index)

/** What plays of a remux; null when it does not help. Pure. */
export const planRemuxedTracks = (
  remux: { readonly movie: Movie | null; readonly probe: Probe; readonly blob: string },
  source: Probe,
  changes: SourceChanges,
): InPlaceTracks | null => {
  const copiedAudio = audioOfRemux(source, changes)
  const { video, audio: moved } = planTracksInPlace(remux.movie, remux.probe, changes, remux.blob)
  // The remux holds the tracks in the order in which they were asked for.
  const sourceIndex = new Map(
    remux.probe.audio.map(({ index }, number) => [index, copiedAudio[number] ?? index]),
  )
  const audio = moved.map((one) => ({
    ...one,
    streamIndex: sourceIndex.get(one.streamIndex) ?? one.streamIndex,
  }))
  return (source.video === null ? audio.length === 0 : video === null) ? null : { video, audio }
}
