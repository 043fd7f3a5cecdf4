import type { Movie, Track } from '@zoetrope/isobmff'

/** The tracks that play: the first video and the first audio track. */
export const playedTrack = (movie: Movie, kind: 'video' | 'audio'): Track | undefined =>
  movie.tracks.find((track) => track.kind === kind)

/** When the movie begins, in seconds of its presentation: with the first picture or the first sound that isn't priming. */
export const movieStartSeconds = (movie: Movie): number =>
  Math.min(
    ...(['video', 'audio'] as const)
      .map((kind) => playedTrack(movie, kind))
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
