import { IsobmffError, readFragmentStream, type Track } from '@zoetrope/isobmff'
import { measureBitRates } from './bit-rates.ts'
import { describeTrack, type PackagedTrack, type TrackDescription } from './packaged-track.ts'
import { SegmentJoiner, type SegmentJoinerOptions } from './segment-joiner.ts'

export interface PackageStreamOptions extends SegmentJoinerOptions {
  /** Called once, before the first segment. The frame rate is that of the first fragment. */
  readonly onInit: (track: TrackDescription) => Promise<void>
}

/**
 * Packages the fragmented MP4 of one track that ffmpeg writes to a pipe (see `readFragmentStream`). Every
 * fragment must begin with a key frame. Fragments are joined into segments as close to the target duration as
 * possible.
 *
 * Throws IsobmffError, including when the pipe ends inside a fragment or contains none.
 */
export const packageStream = async (
  input: AsyncIterable<Buffer>,
  options: PackageStreamOptions,
): Promise<PackagedTrack> => {
  let track: Track | undefined
  let joiner: SegmentJoiner | undefined
  let description: TrackDescription | undefined
  for await (const piece of readFragmentStream(input)) {
    if (piece.type === 'init') {
      track = piece.track
      continue
    }
    if (joiner === undefined) {
      joiner = new SegmentJoiner(track!, options)
      description = describeTrack(track!, piece.samples)
      await options.onInit(description)
    }
    await joiner.add(piece)
  }
  if (joiner === undefined) throw new IsobmffError('truncated', 'The stream contains no fragment.')
  const { segments, sampleDurationTicks } = await joiner.finish()
  const { timescale, kind } = track!
  return {
    ...description!,
    frameRate: kind === 'video' && sampleDurationTicks > 0 ? timescale / sampleDurationTicks : 0,
    segments,
    ...measureBitRates(segments, timescale),
  }
}
