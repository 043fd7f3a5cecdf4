import type { AudioStream } from './probe.ts'

/** So many ffmpeg takes for a usual arrangement of speakers where the file does not say. */
const mostGuessedChannels = 8

/**
 * Recorders in the field write a channel for each microphone and their own mix to the first two. ffmpeg would not mix what it cannot
 * place.
 */
export const hasMixInFront = ({ channels, isPlaced }: Pick<AudioStream, 'channels' | 'isPlaced'>): boolean =>
  channels > mostGuessedChannels && !isPlaced

export const downmixFilters = ({ isMixInFront }: { isMixInFront?: true }): string[] =>
  isMixInFront === true ? ['pan=stereo|c0=c0|c1=c1'] : []
