import type { AudioStream } from '../probe/probe.ts'

/** Up to this many channels, ffmpeg assumes a standard speaker layout when the file names none. */
const mostGuessedChannels = 8

/**
 * Field recorders write one channel per microphone and their own mix to the first two. ffmpeg does not
 * downmix channels of unknown position.
 */
export const hasMixInFront = ({ channels, isPlaced }: Pick<AudioStream, 'channels' | 'isPlaced'>): boolean =>
  channels > mostGuessedChannels && !isPlaced

export const downmixFilters = ({ isMixInFront }: { isMixInFront?: true }): string[] =>
  isMixInFront === true ? ['pan=stereo|c0=c0|c1=c1'] : []
