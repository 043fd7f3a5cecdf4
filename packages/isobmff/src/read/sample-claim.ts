import type { RandomAccessReader } from '../boxes/random-access-reader.ts'
import { boxHeaders, type TopLevelBox } from '../boxes/top-level-boxes.ts'

/** What a file has claimed so far. */
export interface SampleClaim {
  samples: number
  /** Samples of sound in the current fragment. */
  soundInFragment: number
  /** Ids of tracks with sound. */
  readonly sounds: Set<number>
  /** Boxes that may follow. A file with more claims infinitely many samples. */
  boxesLeft: number
}

/** Yields the headers of the boxes in a box, and ends early when there are too many. */
export async function* boxesIn(
  source: RandomAccessReader,
  container: Pick<TopLevelBox, 'bodyOffset' | 'endOffset'>,
  claim: SampleClaim,
): AsyncGenerator<TopLevelBox> {
  const sizeBytes = Math.min(container.endOffset, source.sizeBytes)
  for await (const box of boxHeaders({ ...source, sizeBytes }, container.bodyOffset, Infinity)) {
    claim.boxesLeft -= 1
    if (claim.boxesLeft < 0) {
      claim.samples = Infinity
      return
    }
    yield box
  }
}
