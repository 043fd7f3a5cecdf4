import { readBoxes, requireBox, type Box } from './box.ts'
import { Fields, readFullBox } from './fields.ts'
import { FragmentSamples } from './fragment-samples.ts'
import { IsobmffError } from './isobmff-error.ts'
import { readMovieFragment } from './read-movie-fragment.ts'
import { checkSamplesLieInFile, SampleBudget, type SampleTable } from './sample-table.ts'

/** Where the moof box of a segment ends, as its first bytes tell; undefined where these are too few to say. */
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
 * The samples of a segment that `writeMediaSegment` has written, of whichever track, from its bytes up to the end of its moof box. Offsets count from
 * the start of the segment; samples lie side by side.
 */
export const readMediaSegmentHead = (head: Buffer, segmentBytes: number): SampleTable => {
  const moof = requireBox(readBoxes(head), 'moof')
  const samples = new FragmentSamples(new SampleBudget(segmentBytes))
  const moofOffset = head.length - moof.bytes.length
  const trackId = trackIdOf(requireBox(readBoxes(moof.body), 'traf'))
  readMovieFragment(
    moof.body,
    moofOffset,
    segmentBytes,
    new Map([[trackId, { defaults: undefined, samples }]]),
  )
  const table = samples.toTable()
  if (table.count === 0) throw new IsobmffError('malformed', 'A segment holds no samples.')
  checkSamplesLieInFile(table, segmentBytes)
  return table
}

const trackIdOf = (traf: Box): number => {
  const { fields } = readFullBox(requireBox(readBoxes(traf.body), 'tfhd').body)
  return fields.u32()
}
