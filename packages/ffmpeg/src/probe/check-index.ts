import { countClaimedSamples, openFileReader } from '@zoetrope/isobmff'
import { MediaError, mediaMessage } from '../run/media-error.ts'

/** ffprobe takes 24 bytes of memory for each sample. A day of video at 60 frames/s has five million. */
const maxClaimedSamples = 2 ** 23

const readClaim = async (path: string): Promise<{ samples: number; sizeBytes: number } | null> => {
  try {
    await using reader = await openFileReader(path)
    return { samples: await countClaimedSamples(reader), sizeBytes: reader.sizeBytes }
  } catch {
    // ffprobe reports what is wrong with the file.
    return null
  }
}

/**
 * Rejects with `too_complex` when the index of an MP4 or QuickTime file claims more samples than the file has bytes: a few
 * kilobytes would fill gigabytes of memory.
 */
export const checkIndex = async (path: string): Promise<void> => {
  const claim = await readClaim(path)
  if (claim === null || claim.samples <= Math.min(claim.sizeBytes, maxClaimedSamples)) return
  throw new MediaError(
    'too_complex',
    mediaMessage('too_complex'),
    `The index claims ${claim.samples} samples.`,
  )
}
