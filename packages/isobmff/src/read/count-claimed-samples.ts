import { constants, inflate } from 'node:zlib'
import { promisify } from 'node:util'
import { Fields } from '../boxes/fields.ts'
import { IsobmffError } from '../boxes/isobmff-error.ts'
import { readExactly, withReadAhead, type RandomAccessReader } from '../boxes/random-access-reader.ts'
import { topLevelBoxes, type TopLevelBox } from '../boxes/top-level-boxes.ts'
import { countInFragment } from './count-fragment-samples.ts'
import { boxesIn, type SampleClaim } from './sample-claim.ts'

/** Boxes on the way from the index to the tables of a track. */
const containers = new Set(['mdia', 'minf', 'stbl'])
/** Far more than the tracks of real files have. */
const maxIndexBoxes = 2 ** 15
const maxFragmentBoxes = 2 ** 12
/** A probe reads the first fragments alone, and the headers of a million would keep this process busy. */
const maxFragments = 1_024
const maxBoxesOfFragments = 2 ** 16
/** Films with compressed indexes are old and short. An index of a whole day has 60 MB. */
const maxInflatedBytes = 8 * 1024 * 1024

/**
 * Returns how many samples the index and the first fragments of a file claim without an entry for each: only such claims
 * can exceed the size of the file. Reads headers alone, so it is fast for an index of any size. Returns Infinity for an
 * index with more boxes, or with a larger compressed one, than any real file has. Throws IsobmffError for other formats.
 */
export const countClaimedSamples = async (reader: RandomAccessReader): Promise<number> => {
  const source = withReadAhead(reader)
  const claim: SampleClaim = {
    ...{ samples: 0, soundInFragment: 0 },
    sounds: new Set(),
    boxesLeft: maxIndexBoxes,
  }
  let hasIndex = false
  let mostSound = 0
  let fragmentsLeft = maxFragments
  let boxesLeft = maxBoxesOfFragments
  try {
    for await (const box of topLevelBoxes(source)) {
      if (box.type === 'moov' && !hasIndex) {
        hasIndex = true
        await countInMovie(source, box, claim)
      } else if (box.type === 'moof' && hasIndex) {
        claim.boxesLeft = maxFragmentBoxes
        try {
          await countInFragment(source, box, claim)
        } finally {
          // Raw audio has a sample for each tick, and a probe does not keep those of all fragments.
          mostSound = Math.max(mostSound, claim.soundInFragment)
        }
        fragmentsLeft -= 1
        boxesLeft -= maxFragmentBoxes - claim.boxesLeft
        if (fragmentsLeft === 0 || boxesLeft <= 0) break
      }
    }
  } catch (error) {
    // What precedes a malformed box counts.
    if (!(error instanceof IsobmffError) || !hasIndex) throw error
  }
  return claim.samples + mostSound
}

const noTrack: ClaimingTrack = { id: 0, isSound: false, isOneTick: false, samples: 0 }

const countInMovie = async (
  source: RandomAccessReader,
  moov: TopLevelBox,
  claim: SampleClaim,
  { isCompressed } = { isCompressed: false },
): Promise<void> => {
  const visit = async (container: TopLevelBox, track: ClaimingTrack): Promise<void> => {
    for await (const box of boxesIn(source, container, claim)) {
      if (containers.has(box.type)) await visit(box, track)
      else await readers.get(box.type)?.(source, box, track)
    }
  }
  let compressedCount = isCompressed ? 1 : 0
  for await (const box of boxesIn(source, moov, claim)) {
    if (box.type === 'cmov') {
      compressedCount += 1
      // No real index has two, or is compressed twice: a stream can contain itself.
      if (compressedCount > 1) claim.samples = Infinity
      else await countInCompressed(source, box, claim)
      if (claim.samples === Infinity) return
    }
    if (box.type !== 'trak') continue
    const track = { ...noTrack }
    try {
      await visit(box, track)
    } finally {
      if (track.isSound) claim.sounds.add(track.id)
      // Readers of raw audio index its chunks, not its samples.
      if (!(track.isSound && track.isOneTick)) claim.samples += track.samples
    }
  }
}

/** QuickTime File Format, "Compressed movie resources": `cmvd` holds the size of the index and its zlib stream. */
const countInCompressed = async (
  source: RandomAccessReader,
  cmov: TopLevelBox,
  claim: SampleClaim,
): Promise<void> => {
  let isRead = false
  for await (const box of boxesIn(source, cmov, claim)) {
    if (box.type !== 'cmvd') continue
    // Thousands of small streams would each inflate to megabytes.
    if (isRead) {
      claim.samples = Infinity
      return
    }
    isRead = true
    const claimedBytes = new Fields(await readExactly(source, box.bodyOffset, 4)).u32()
    const compressedBytes = Math.min(box.endOffset, source.sizeBytes) - box.bodyOffset - 4
    if (Math.max(claimedBytes, compressedBytes) > maxInflatedBytes) {
      claim.samples = Infinity
      return
    }
    const compressed = await readExactly(source, box.bodyOffset + 4, compressedBytes)
    const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: maxInflatedBytes }
    // ffprobe refuses a stream that is damaged or longer than its size.
    const index = await promisify(inflate)(compressed, options).catch(() => Buffer.alloc(0))
    const inflated: RandomAccessReader = {
      sizeBytes: index.length,
      read: async (offset, length) => index.subarray(offset, offset + length),
    }
    for await (const moov of boxesIn(inflated, { bodyOffset: 0, endOffset: index.length }, claim))
      if (moov.type === 'moov') await countInMovie(inflated, moov, claim, { isCompressed: true })
  }
}

interface ClaimingTrack {
  id: number
  isSound: boolean
  /** Whether every sample lasts one tick. */
  isOneTick: boolean
  samples: number
}

type ReadBox = (source: RandomAccessReader, box: TopLevelBox, track: ClaimingTrack) => Promise<void>

/** Returns the fields after version and flags. */
const fieldsOf = async (source: RandomAccessReader, box: TopLevelBox, length: number): Promise<Fields> =>
  new Fields(await readExactly(source, box.bodyOffset + 4, length))

/** ISO/IEC 14496-12, 8.3.2, 8.4.3, 8.6.1.2 and 8.7.3. */
const readers: ReadonlyMap<string, ReadBox> = new Map(
  Object.entries<ReadBox>({
    tkhd: async (source, box, track) => {
      const version = new Fields(await readExactly(source, box.bodyOffset, 1)).u8()
      const timeBytes = version === 1 ? 16 : 8
      const fields = await fieldsOf(source, box, timeBytes + 4)
      fields.skip(timeBytes)
      track.id = fields.u32()
    },
    hdlr: async (source, box, track) => {
      const fields = await fieldsOf(source, box, 8)
      fields.skip(4)
      track.isSound ||= fields.fourCC() === 'soun'
    },
    stts: async (source, box, track) => {
      const fields = await fieldsOf(source, box, 12)
      const entries = fields.u32()
      fields.skip(4)
      track.isOneTick = entries === 1 && fields.u32() === 1
    },
    stsz: async (source, box, track) => {
      const fields = await fieldsOf(source, box, 8)
      const uniformBytes = fields.u32()
      if (uniformBytes > 0) track.samples = Math.max(track.samples, fields.u32())
    },
  }),
)
