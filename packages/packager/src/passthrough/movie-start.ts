import type { Movie, Track } from '@zoetrope/isobmff'

export const firstTrack = (movie: Movie, kind: 'video' | 'audio'): Track | undefined =>
  movie.tracks.find((track) => track.kind === kind)

/**
 * Returns the start of the movie in seconds of its presentation: the first picture or the first audio sample
 * after priming. Considers the first track of each kind.
 */
export const movieStartSeconds = (movie: Movie): number =>
  Math.min(
    ...(['video', 'audio'] as const)
      .map((kind) => firstTrack(movie, kind))
      .filter((track) => track !== undefined && track.samples.count > 0)
      .map((track) => contentStartTicks(track!) / track!.timescale),
  )

const contentStartTicks = ({ samples, mediaStartTicks, presentationShiftTicks }: Track): number => {
  let first = Infinity
  for (let index = 0; index < samples.count; index++) {
    first = Math.min(first, samples.decodeTimes[index]! + samples.compositionOffsets[index]!)
  }
  return Math.max(first, mediaStartTicks) + presentationShiftTicks
}
