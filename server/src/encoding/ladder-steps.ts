import type { MediaPlan, VideoRung } from '@zoetrope/ffmpeg'

/** What is encoded together, in the order in which viewers gain by it: the ladder, then the same in each other codec. */
export const ladderSteps = ({ ladder, moreCodecs }: MediaPlan): VideoRung[][] =>
  [ladder, ...Map.groupBy(moreCodecs, ({ codec }) => codec).values()].filter(({ length }) => length > 0)

/** For which the ladder of another file is not to wait. */
export const isLaterStep = (rungs: readonly VideoRung[]): boolean =>
  rungs.every(({ codec }) => codec !== 'h264')
