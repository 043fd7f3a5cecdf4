import { ByteQueue } from '../boxes/byte-queue.ts'
import { Fields } from '../boxes/fields.ts'
import { FragmentSamples } from '../movie/fragment-samples.ts'
import { IsobmffError } from '../boxes/isobmff-error.ts'
import type { Track } from '../movie/movie.ts'
import { readMovieBox, type MovieBox } from './read-movie-box.ts'
import { readMovieFragment } from './read-movie-fragment.ts'
import { checkSamplesLieInFile, SampleBudget, type SampleTable } from '../movie/sample-table.ts'

export interface InitPiece {
  readonly type: 'init'
  readonly track: Track
  /** Unmodified ftyp and moov. */
  readonly bytes: Buffer
}

export interface FragmentPiece {
  readonly type: 'fragment'
  /** Decode time of the first sample, in track ticks. */
  readonly baseDecodeTime: number
  /** Sample offsets are relative to the start of `data`. */
  readonly samples: SampleTable
  readonly data: Buffer
}

export interface InitsPiece {
  readonly type: 'init'
  readonly tracks: readonly Track[]
  /** Unmodified ftyp and moov. */
  readonly bytes: Buffer
}

export interface TrackFragment extends FragmentPiece {
  readonly track: Track
}

/** Fragments are held in memory. Ten seconds at 400 Mbit/s take 500 MB. */
const maxBoxBytes = 512 * 1024 * 1024

/**
 * Reads a fragmented MP4 with one track while ffmpeg writes it to a pipe with `-movflags
 * +empty_moov+default_base_moof+frag_keyframe+skip_trailer`.
 *
 * Throws `truncated` when the input ends inside a fragment or before the moov.
 */
export async function* readFragmentStream(
  input: AsyncIterable<Buffer>,
): AsyncGenerator<InitPiece | FragmentPiece> {
  for await (const piece of readFragmentedTracks(input))
    yield piece.type === 'init'
      ? { type: 'init', track: onlyTrack(piece.tracks), bytes: piece.bytes }
      : { type: 'fragment', baseDecodeTime: piece.baseDecodeTime, samples: piece.samples, data: piece.data }
}

/**
 * Like `readFragmentStream`, for any number of tracks. A fragment with several tracks yields one piece per
 * track.
 */
export async function* readFragmentedTracks(
  input: AsyncIterable<Buffer>,
): AsyncGenerator<InitsPiece | TrackFragment> {
  const queue = new ByteQueue(input)
  try {
    let ftyp: Buffer = Buffer.alloc(0)
    let moov: MovieBox | undefined
    let moof: StreamedBox | undefined
    const endTicks = new Map<number, number>()
    for (let box = await nextBox(queue); box !== undefined; box = await nextBox(queue)) {
      if (box.type === 'ftyp') ftyp = Buffer.concat([box.header, box.body])
      if (box.type === 'moov') {
        moov = readMovieBox(box.body, new SampleBudget(0))
        yield { type: 'init', tracks: moov.tracks, bytes: Buffer.concat([ftyp, box.header, box.body]) }
      }
      if (box.type === 'moof') moof = box
      if (box.type === 'mdat' && moof !== undefined) {
        if (moov === undefined) throw new IsobmffError('malformed', 'A fragment precedes the moov box.')
        yield* readFragments(moov, moof, box, endTicks)
        moof = undefined
      }
    }
    if (moov === undefined) throw new IsobmffError('truncated', 'The stream ends before its moov box.')
    if (moof !== undefined) throw endsInside()
  } finally {
    await queue.close()
  }
}

const endsInside = () => new IsobmffError('truncated', 'The stream ends inside a box or fragment.')

interface StreamedBox {
  readonly type: string
  readonly offset: number
  readonly header: Buffer
  readonly body: Buffer
}

const nextBox = async (queue: ByteQueue): Promise<StreamedBox | undefined> => {
  const offset = queue.takenBytes
  let header = await queue.take(8)
  if (header.length === 0) return undefined
  if (header.length < 8) throw endsInside()
  const fields = new Fields(header)
  let sizeBytes = fields.u32()
  const type = fields.fourCC()
  if (sizeBytes === 1) {
    header = Buffer.concat([header, await queue.take(8)])
    if (header.length < 16) throw endsInside()
    sizeBytes = new Fields(header, 8).u64()
  }
  const bodyBytes = sizeBytes - header.length
  if (bodyBytes < 0) throw new IsobmffError('malformed', `Box '${type}' claims ${sizeBytes} bytes.`)
  if (bodyBytes > maxBoxBytes) throw new IsobmffError('too_large', `Box '${type}' has ${sizeBytes} bytes.`)
  const body = await queue.take(bodyBytes)
  if (body.length < bodyBytes) throw endsInside()
  return { type, offset, header, body }
}

const onlyTrack = ([track, ...others]: readonly Track[]): Track => {
  if (track === undefined || others.length > 0) {
    throw new IsobmffError(
      'malformed',
      `The stream must have one track, not ${others.length + (track ? 1 : 0)}.`,
    )
  }
  return track
}

/** Fragments without a decode time continue at the end of the track's previous fragment. */
const readFragments = (
  moov: MovieBox,
  moof: StreamedBox,
  mdat: StreamedBox,
  endTicks: Map<number, number>,
): TrackFragment[] => {
  const data = mdat.body
  const budget = new SampleBudget(data.length)
  const tracks = moov.tracks.map((track) => {
    const samples = new FragmentSamples(budget)
    samples.startAt(endTicks.get(track.id) ?? 0)
    return { track, samples, defaults: moov.defaultsByTrackId.get(track.id) }
  })
  readMovieFragment(
    moof.body,
    moof.offset,
    data.length,
    new Map(tracks.map(({ track, samples, defaults }) => [track.id, { defaults, samples }])),
  )
  const filled = tracks.filter(({ samples }) => samples.count > 0)
  if (filled.length === 0) throw new IsobmffError('malformed', 'A fragment contains no samples.')
  const dataOffset = mdat.offset + mdat.header.length
  return filled.map(({ track, samples }) => {
    const table = samples.toTable()
    for (let index = 0; index < table.count; index++) {
      const offset = table.offsets[index]! - dataOffset
      if (offset < 0) throw new IsobmffError('malformed', 'A sample precedes the media of its fragment.')
      table.offsets[index] = offset
    }
    checkSamplesLieInFile(table, data.length)
    endTicks.set(track.id, table.decodeTimes[table.count - 1]! + table.durations[table.count - 1]!)
    return { type: 'fragment', track, baseDecodeTime: table.decodeTimes[0]!, samples: table, data }
  })
}
