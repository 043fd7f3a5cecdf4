import {
  IsobmffError,
  readMovie,
  topLevelBoxes,
  type Movie,
  type RandomAccessReader,
  type Track,
} from '@zoetrope/isobmff'
import { packetsReadAhead, type ChunkTimes, type SourceRange } from './chunk-times.ts'
import { probeBytes, probeSeconds, toleratedSeconds } from './opening.ts'

/** Tracks with few samples are read for longer. */
const probeSamples = 50

/** ffmpeg reads the tracks at positions up to one second apart. */
const interleaveSeconds = 1

/** Times that ffprobe reports may differ from ours by this much, or an edit list means something else. */
const mostDifferenceSeconds = 1

/** More boxes would need as many requests. */
const maxBoxes = 1_000

/** As `sourceRanges`, for MP4 and QuickTime. Fragmented files have no index that locates a time. */
export const movieRanges = async (
  reader: RandomAccessReader,
  times: ChunkTimes | null,
): Promise<SourceRange[] | null> => {
  try {
    const movie = await readMovie(reader)
    if (movie.isFragmented) return null
    const boxes = await boxesWithoutMedia(reader)
    if (boxes === null) return null
    const opening = [...boxes, ...openingSamples(movie)]
    if (times === null) return opening
    const samples = samplesOfChunk(movie, times)
    return samples === null ? null : [...opening, samples].flat()
  } catch (error) {
    if (error instanceof IsobmffError) return null
    throw error
  }
}

const boxesWithoutMedia = async (reader: RandomAccessReader): Promise<SourceRange[] | null> => {
  const ranges: SourceRange[] = []
  let count = 0
  for await (const { type, offset, bodyOffset, endOffset } of topLevelBoxes(reader)) {
    count += 1
    if (count > maxBoxes) return null
    ranges.push({ start: offset, end: type === 'mdat' ? bodyOffset : Math.min(endOffset, reader.sizeBytes) })
  }
  return ranges
}

const decodeSeconds = ({ samples, timescale }: Track, index: number): number =>
  samples.decodeTimes[index]! / timescale

const openingSamples = (movie: Movie): SourceRange[] => {
  const tracks = movie.tracks.filter(({ samples }) => samples.count > 0)
  const untilSeconds = openingSeconds(tracks) + interleaveSeconds
  return tracks.flatMap((track) => {
    let count = Math.min(probeSamples, track.samples.count)
    while (count < track.samples.count && decodeSeconds(track, count) <= untilSeconds) count += 1
    return rangesOf(track, 0, count)
  })
}

/** Returns the time by which ffmpeg has read enough of all tracks. */
const openingSeconds = (tracks: readonly Track[]): number => {
  const next = tracks.map(() => 0)
  let bytes = 0
  for (;;) {
    let earliest = -1
    let earliestSeconds = Infinity
    for (const [number, track] of tracks.entries()) {
      if (next[number]! >= track.samples.count) continue
      const seconds = decodeSeconds(track, next[number]!)
      if (seconds < earliestSeconds) [earliest, earliestSeconds] = [number, seconds]
    }
    const track = tracks[earliest]
    if (track === undefined || earliestSeconds > probeSeconds || bytes >= probeBytes) return earliestSeconds
    bytes += track.samples.sizes[next[earliest]!]!
    next[earliest]! += 1
  }
}

/** Returns the samples from the key frame that ffmpeg seeks to, until the end of the chunk is decoded. */
const samplesOfChunk = (
  movie: Movie,
  { video, seekSeconds, endSeconds }: ChunkTimes,
): SourceRange[] | null => {
  const track = movie.tracks.find(({ id }) => id === video.trackId)
  if (track === undefined || track.samples.count === 0 || track.hasComplexEdits) return null
  const differenceSeconds = Math.abs(firstPresentedSeconds(track) - video.startSeconds)
  if (differenceSeconds > mostDifferenceSeconds) return null
  const slackSeconds = toleratedSeconds + differenceSeconds
  const { samples, timescale, presentationShiftTicks } = track
  const shiftedSeconds = (ticks: number): number => (ticks + presentationShiftTicks) / timescale

  const fromSeconds = seekSeconds === null ? -Infinity : seekSeconds - slackSeconds
  const untilSeconds = endSeconds === null ? Infinity : endSeconds + slackSeconds
  let first = 0
  let last = 0
  for (let index = 0; index < samples.count; index++) {
    const decode = samples.decodeTimes[index]!
    const latest = shiftedSeconds(decode + Math.max(0, samples.compositionOffsets[index]!))
    const earliest = shiftedSeconds(decode + Math.min(0, samples.compositionOffsets[index]!))
    if (samples.isSync[index] === 1 && latest <= fromSeconds) first = index
    if (earliest <= untilSeconds) last = index
  }
  return rangesOf(track, first, Math.min(last + 1 + packetsReadAhead, samples.count))
}

/** Time of the first frame. Frames before the start of the edit list are not presented. */
const firstPresentedSeconds = ({
  samples,
  timescale,
  mediaStartTicks,
  presentationShiftTicks,
}: Track): number => {
  let firstTicks = Infinity
  for (let index = 0; index < samples.count; index++)
    firstTicks = Math.min(firstTicks, samples.decodeTimes[index]! + samples.compositionOffsets[index]!)
  return (Math.max(firstTicks, mediaStartTicks) + presentationShiftTicks) / timescale
}

const rangesOf = ({ samples }: Track, from: number, to: number): SourceRange[] => {
  const ranges: SourceRange[] = []
  for (let index = from; index < to; index++) {
    const start = samples.offsets[index]!
    const end = start + samples.sizes[index]!
    const last = ranges.at(-1)
    if (last !== undefined && last.end === start) last.end = end
    else ranges.push({ start, end })
  }
  return ranges
}
