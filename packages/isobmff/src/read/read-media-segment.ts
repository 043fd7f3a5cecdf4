import { readBoxes, requireBox, type Box } from '../boxes/box.ts'
import { Fields, readFullBox } from '../boxes/fields.ts'
import { FragmentSamples } from '../movie/fragment-samples.ts'
import { IsobmffError } from '../boxes/isobmff-error.ts'
import { readMovieFragment } from './read-movie-fragment.ts'
import { checkSamplesLieInFile, SampleBudget, type SampleTable } from '../movie/sample-table.ts'

/** Returns the end offset of the moof box of a segment, or undefined when `head` is too short. */
export const findMoofEnd = (head: Buffer): number | undefined => {
  for (let at = 0; head.length - at >= 8;) {
    const fields = new Fields(head, at)
    const sizeBytes = fields.u32()
    const type = fields.fourCC()
    if (sizeBytes < 8) throw new IsobmffError('malformed', `Box '${type}' claims ${sizeBytes} bytes.`)
    at += sizeBytes
    if (type === 'moof') return at
  }
  return undefined
}

/**
 * Returns the samples of a single-track segment written by `writeMediaSegment`. `head` contains its bytes up
 * to the end of the moof box. Offsets are relative to the start of the segment, and samples are contiguous.
 */
export const readMediaSegmentHead = (
  head: Buffer,
  segmentBytes: number,
  maxSamples?: number,
): SampleTable => {
  const moof = requireBox(readBoxes(head), 'moof')
  const samples = new FragmentSamples(new SampleBudget(segmentBytes, maxSamples))
  const moofOffset = head.length - moof.bytes.length
  const trackId = trackIdOf(requireBox(readBoxes(moof.body), 'traf'))
  readMovieFragment(
    moof.body,
    moofOffset,
    segmentBytes,
    new Map([[trackId, { defaults: undefined, samples }]]),
  )
  const table = samples.toTable()
  if (table.count === 0) throw new IsobmffError('malformed', 'A segment contains no samples.')
  checkSamplesLieInFile(table, segmentBytes)
  return table
}

const trackIdOf = (traf: Box): number => {
  const { fields } = readFullBox(requireBox(readBoxes(traf.body), 'tfhd').body)
  return fields.u32()
}
