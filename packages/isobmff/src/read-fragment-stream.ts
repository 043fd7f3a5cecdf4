import { ByteQueue } from './byte-queue.ts'
import { Fields } from './fields.ts'
import { FragmentSamples } from './fragment-samples.ts'
import { IsobmffError } from './isobmff-error.ts'
import type { Track } from './movie.ts'
import { readMovieBox, type MovieBox } from './read-movie-box.ts'
import { readMovieFragment } from './read-movie-fragment.ts'
import { checkSamplesLieInFile, SampleBudget, type SampleTable } from './sample-table.ts'

export interface InitPiece {
  readonly type: 'init'
  readonly track: Track
  /** ftyp and moov as they came. */
  readonly bytes: Buffer
}

export interface FragmentPiece {
  readonly type: 'fragment'
  /** Decode time of the first sample, in track ticks. */
  readonly baseDecodeTime: number
  /** Offsets count from the start of `data`. */
  readonly samples: SampleTable
  readonly data: Buffer
}

/** A fragment is held in memory; one of ten seconds at 400 Mbit/s has 500 MB. */
const maxBoxBytes = 512 * 1024 * 1024

/**
 * Reads a fragmented MP4 with one track as it is being written, as ffmpeg does to a pipe with
 * `-movflags +empty_moov+default_base_moof+frag_keyframe+skip_trailer`. Throws `truncated` if the input ends inside a
 * fragment or before the moov.
 */
export async function* readFragmentStream(
  input: AsyncIterable<Buffer>,
): AsyncGenerator<InitPiece | FragmentPiece> {
  const queue = new ByteQueue(input)
  try {
    let ftyp: Buffer = Buffer.alloc(0)
    let moov: MovieBox | undefined
    let moof: StreamedBox | undefined
    let endTicks = 0
    for (let box = await nextBox(queue); box !== undefined; box = await nextBox(queue)) {
      if (box.type === 'ftyp') ftyp = Buffer.concat([box.header, box.body])
      if (box.type === 'moov') {
        moov = readMovieBox(box.body, new SampleBudget(0))
        yield { type: 'init', track: onlyTrack(moov), bytes: Buffer.concat([ftyp, box.header, box.body]) }
      }
      if (box.type === 'moof') moof = box
      if (box.type === 'mdat' && moof !== undefined) {
        if (moov === undefined) throw new IsobmffError('malformed', 'A fragment comes before the moov box.')
        const fragment = readFragment(moov, moof, box, endTicks)
        const { samples } = fragment
        endTicks = samples.decodeTimes[samples.count - 1]! + samples.durations[samples.count - 1]!
        moof = undefined
        yield fragment
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
  /** Position in the stream. */
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

const onlyTrack = (moov: MovieBox): Track => {
  const [track, ...others] = moov.tracks
  if (track === undefined || others.length > 0) {
    throw new IsobmffError('malformed', `A stream of one track was expected, not of ${moov.tracks.length}.`)
  }
  return track
}

const readFragment = (
  moov: MovieBox,
  moof: StreamedBox,
  mdat: StreamedBox,
  endTicks: number,
): FragmentPiece => {
  const track = onlyTrack(moov)
  const data = mdat.body
  const samples = new FragmentSamples(new SampleBudget(data.length))
  samples.startAt(endTicks)
  const defaults = moov.defaultsByTrackId.get(track.id)
  readMovieFragment(moof.body, moof.offset, data.length, new Map([[track.id, { defaults, samples }]]))
  const table = samples.toTable()
  if (table.count === 0) throw new IsobmffError('malformed', 'A fragment holds no samples.')
  const dataOffset = mdat.offset + mdat.header.length
  for (let index = 0; index < table.count; index++) {
    const offset = table.offsets[index]! - dataOffset
    if (offset < 0) throw new IsobmffError('malformed', 'A sample lies before the media of its fragment.')
    table.offsets[index] = offset
  }
  checkSamplesLieInFile(table, data.length)
  return { type: 'fragment', baseDecodeTime: table.decodeTimes[0]!, samples: table, data }
}
