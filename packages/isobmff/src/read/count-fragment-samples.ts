import { Fields } from '../boxes/fields.ts'
import { readExactly, type RandomAccessReader } from '../boxes/random-access-reader.ts'
import type { TopLevelBox } from '../boxes/top-level-boxes.ts'
import { boxesIn, type SampleClaim } from './sample-claim.ts'

/** Sample duration, size, flags and composition offset (ISO/IEC 14496-12, 8.8.8). */
const entryFields = [0x100, 0x200, 0x400, 0x800]

/**
 * Adds the samples that the runs of a moof box claim without an entry for each. Throws IsobmffError when the boxes are
 * malformed.
 */
export const countInFragment = async (
  source: RandomAccessReader,
  moof: TopLevelBox,
  claim: SampleClaim,
): Promise<void> => {
  claim.soundInFragment = 0
  for await (const traf of boxesIn(source, moof, claim)) {
    if (traf.type !== 'traf') continue
    let isSound = false
    for await (const box of boxesIn(source, traf, claim)) {
      if (box.type === 'tfhd') isSound = claim.sounds.has(await readTrackId(source, box))
      if (box.type !== 'trun') continue
      const claimed = await readRunClaim(source, box)
      if (isSound) claim.soundInFragment += claimed
      else claim.samples += claimed
    }
  }
}

const readTrackId = async (source: RandomAccessReader, tfhd: TopLevelBox): Promise<number> =>
  new Fields(await readExactly(source, tfhd.bodyOffset + 4, 4)).u32()

const readRunClaim = async (source: RandomAccessReader, trun: TopLevelBox): Promise<number> => {
  const fields = new Fields(await readExactly(source, trun.bodyOffset, 8))
  const present = fields.u32()
  const count = fields.u32()
  const entryBytes = 4 * entryFields.filter((field) => (present & field) !== 0).length
  const bytes = Math.min(trun.endOffset, source.sizeBytes) - trun.bodyOffset - fields.offset
  return entryBytes > 0 && count * entryBytes <= bytes ? 0 : count
}
