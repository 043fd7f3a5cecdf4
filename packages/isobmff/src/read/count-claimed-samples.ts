import { Fields } from '../boxes/fields.ts'
import { readExactly, withReadAhead, type RandomAccessReader } from '../boxes/random-access-reader.ts'
import { boxHeaders, topLevelBoxes, type TopLevelBox } from '../boxes/top-level-boxes.ts'

/** Boxes on the way from the index to the tables of a track. */
const containers = new Set(['mdia', 'minf', 'stbl'])
/** Far more than the tracks of real files have. */
const maxBoxes = 2 ** 15

/**
 * Returns how many samples the tracks of an index claim without an entry for each: only such claims can exceed
 * the size of the file. Reads headers alone, so it is fast for an index of any size. Returns Infinity for an index
 * with more boxes than any real file has. Throws IsobmffError when the boxes are malformed.
 */
export const countClaimedSamples = async (reader: RandomAccessReader): Promise<number> => {
  const source = withReadAhead(reader)
  for await (const box of topLevelBoxes(source)) if (box.type === 'moov') return countInMovie(source, box)
  return 0
}

const countInMovie = async (source: RandomAccessReader, moov: TopLevelBox): Promise<number> => {
  let claimed = 0
  let boxesLeft = maxBoxes
  const visit = async (container: TopLevelBox, track: ClaimingTrack): Promise<void> => {
    const sizeBytes = Math.min(container.endOffset, source.sizeBytes)
    for await (const box of boxHeaders({ ...source, sizeBytes }, container.bodyOffset, maxBoxes + 1)) {
      boxesLeft -= 1
      if (boxesLeft < 0) return
      if (container === moov) {
        if (box.type !== 'trak') continue
        const inner: ClaimingTrack = { isSound: false, isOneTick: false, samples: 0 }
        await visit(box, inner)
        // Readers of raw audio index its chunks, not its samples.
        if (!(inner.isSound && inner.isOneTick)) claimed += inner.samples
      } else if (containers.has(box.type)) await visit(box, track)
      else await readers.get(box.type)?.(source, box, track)
    }
  }
  await visit(moov, { isSound: false, isOneTick: false, samples: 0 })
  return boxesLeft < 0 ? Infinity : claimed
}

interface ClaimingTrack {
  isSound: boolean
  /** Whether every sample lasts one tick. */
  isOneTick: boolean
  samples: number
}

type ReadBox = (source: RandomAccessReader, box: TopLevelBox, track: ClaimingTrack) => Promise<void>

/** Returns the fields after version and flags. */
const fieldsOf = async (source: RandomAccessReader, box: TopLevelBox, length: number): Promise<Fields> =>
  new Fields(await readExactly(source, box.bodyOffset + 4, length))

/** ISO/IEC 14496-12, 8.4.3, 8.6.1.2 and 8.7.3. */
const readers: ReadonlyMap<string, ReadBox> = new Map(
  Object.entries<ReadBox>({
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
