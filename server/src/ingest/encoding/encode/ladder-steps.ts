import type { MediaPlan, VideoRung } from '@zoetrope/ffmpeg'

/**
 * Returns the rungs that are encoded together, most useful first: the ladder, then the same rungs per
 * additional codec.
 */
export const ladderSteps = ({ ladder, moreCodecs }: MediaPlan): VideoRung[][] =>
  [ladder, ...Map.groupBy(moreCodecs, ({ codec }) => codec).values()].filter(({ length }) => length > 0)

/** Whether the ladders of other files take precedence over this step. */
export const isLaterStep = (rungs: readonly VideoRung[]): boolean =>
  rungs.every(({ codec }) => codec !== 'h264')
