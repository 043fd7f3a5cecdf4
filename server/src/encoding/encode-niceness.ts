import type { VideoRung } from '@zoetrope/ffmpeg'
import { isLaterStep } from './ladder-steps.ts'

/**
 * Somebody waits for what makes a file playable: beside a ladder it gets about nine of ten parts of the processor. Codecs that come after H.264 are a
 * gain for some.
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
