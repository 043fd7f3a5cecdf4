import type { VideoRung } from '@zoetrope/ffmpeg'
import { isLaterStep } from './ladder-steps.ts'

/**
 * Users wait for a file to become playable, so that run gets about nine tenths of the CPU beside a ladder.
 * Codecs after H.264 benefit only some viewers.
 */
export const awaitedNiceness = 1
const ladderNiceness = 10
const laterNiceness = 15

export const nicenessOf = (
  rungs: readonly VideoRung[],
  { isAwaited }: { readonly isAwaited: boolean },
): number => {
  if (isAwaited) return awaitedNiceness
  return isLaterStep(rungs) ? laterNiceness : ladderNiceness
}
