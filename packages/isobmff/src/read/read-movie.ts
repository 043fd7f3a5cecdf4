import { FragmentSamples } from '../movie/fragment-samples.ts'
import { IsobmffError } from '../boxes/isobmff-error.ts'
import type { Movie, Track } from '../movie/movie.ts'
import { readExactly, withReadAhead, type RandomAccessReader } from '../boxes/random-access-reader.ts'
import { maxMovieBoxBytes, readMovieBox, type MovieBox } from './read-movie-box.ts'
import { maxFragmentBoxBytes, readMovieFragment, type FragmentedTrack } from './read-movie-fragment.ts'
import { checkSamplesLieInFile, SampleBudget, sampleTableBytes } from '../movie/sample-table.ts'
import { topLevelBoxes, type TopLevelBox } from '../boxes/top-level-boxes.ts'

/**
 * Reads the index of an MP4 or QuickTime file at any position: the moov box and the headers of all fragments.
 * Media data is skipped. `maxSamples` limits memory use. Throws IsobmffError when the file contradicts its
 * index.
 */
export const readMovie = async (reader: RandomAccessReader, maxSamples?: number): Promise<Movie> => {
  const source = withReadAhead(reader)
  const budget = new SampleBudget(reader.sizeBytes, maxSamples)
  let moov: MovieBox | undefined
  let fragmented: ReadonlyMap<number, FragmentedTrack> = new Map()
  for await (const box of topLevelBoxes(source)) {
    if (box.type === 'moov' && moov === undefined) {
      moov = readMovieBox(await readBody(source, box, maxMovieBoxBytes), budget)
      if (!moov.isFragmented) return describeMovie(moov.tracks, false)
      fragmented = fragmentedTracks(moov, budget)
    } else if (box.type === 'moof') {
      if (moov === undefined) throw new IsobmffError('malformed', 'A fragment precedes the moov box.')
      const moof = await readBody(source, box, maxFragmentBoxBytes)
      readMovieFragment(moof, box.offset, reader.sizeBytes, fragmented)
    } else if (box.endOffset > reader.sizeBytes) {
      throw new IsobmffError('truncated', `The file ends inside its '${box.type}' box.`)
    }
  }
  if (moov === undefined) throw missingMovieBox(reader.sizeBytes)
  const tracks = moov.tracks.map((track) => ({
    ...track,
    samples: fragmented.get(track.id)?.samples.toTable() ?? track.samples,
  }))
  for (const track of tracks) checkSamplesLieInFile(track.samples, reader.sizeBytes)
  return describeMovie(tracks, true)
}

/** Writers put a few boxes before the index. */
const maxBoxesBeforeIndex = 32
/** An index of twelve hours of video and audio has 30 MB. */
const maxFlatMovieBoxBytes = 64 * 1024 * 1024

/**
 * Like `readMovie`, in a time that the size of the index bounds. Returns null for fragmented files, whose fragments are
 * spread over the file, and for those where the index is hard to find.
 */
export const readFlatMovie = async (
  reader: RandomAccessReader,
  maxSamples: number,
): Promise<Movie | null> => {
  const source = withReadAhead(reader)
  let boxesLeft = maxBoxesBeforeIndex
  for await (const box of topLevelBoxes(source)) {
    if (box.type === 'moov') {
      const body = await readBody(source, box, maxFlatMovieBoxBytes)
      const moov = readMovieBox(body, new SampleBudget(reader.sizeBytes, maxSamples))
      return moov.isFragmented ? null : describeMovie(moov.tracks, false)
    }
    boxesLeft -= 1
    if (box.type === 'moof' || boxesLeft === 0) return null
  }
  return null
}

const missingMovieBox = (sizeBytes: number) =>
  sizeBytes < 8
    ? new IsobmffError('not_isobmff', 'The file is empty.')
    : new IsobmffError('truncated', "The file has no 'moov' box: it was not written to its end.")

export const readBody = async (
  source: RandomAccessReader,
  box: TopLevelBox,
  maxBytes: number,
): Promise<Buffer> => {
  const sizeBytes = box.endOffset - box.bodyOffset
  if (sizeBytes > maxBytes) {
    throw new IsobmffError('too_large', `The '${box.type}' box has ${sizeBytes} bytes.`)
  }
  return readExactly(source, box.bodyOffset, sizeBytes)
}

export const fragmentedTracks = (
  moov: MovieBox,
  budget: SampleBudget,
): ReadonlyMap<number, FragmentedTrack> =>
  new Map(
    moov.tracks
      .filter((track) => track.kind !== 'other')
      .map((track) => [
        track.id,
        {
          defaults: moov.defaultsByTrackId.get(track.id),
          samples: new FragmentSamples(budget, track.samples),
        },
      ]),
  )

export const describeMovie = (tracks: readonly Track[], isFragmented: boolean): Movie => {
  const spans = new Map(
    tracks.filter(({ samples }) => samples.count > 0).map((track) => [track, presentedSpanSeconds(track)]),
  )
  const start = Math.min(...[...spans.values()].map((span) => span.start))
  const end = Math.max(...[...spans.values()].map((span) => span.end))
  const firsts = (['video', 'audio'] as const).map((kind) => tracks.find((track) => track.kind === kind))
  return {
    tracks,
    startSeconds: Math.min(...firsts.map((track) => (track && spans.get(track)?.start) ?? Infinity)),
    durationSeconds: spans.size === 0 ? 0 : Math.max(0, end - start),
    isFragmented,
    memoryBytes: tracks.reduce(
      (sum, track) => sum + sampleTableBytes(track.samples) + track.sampleEntry.length,
      0,
    ),
  }
}

const presentedSpanSeconds = (track: Track): { start: number; end: number } => {
  const { samples, timescale, mediaStartTicks, presentationShiftTicks, trimmedDurationTicks } = track
  let first = Infinity
  let last = 0
  for (let index = 0; index < samples.count; index++) {
    const presented = samples.decodeTimes[index]! + samples.compositionOffsets[index]!
    const end = presented + samples.durations[index]!
    if (presented < first) first = presented
    if (end > last) last = end
  }
  const start = Math.max(first, mediaStartTicks)
  const end = Math.min(last, mediaStartTicks + (trimmedDurationTicks ?? Infinity))
  return {
    start: (start + presentationShiftTicks) / timescale,
    end: (end + presentationShiftTicks) / timescale,
  }
}
