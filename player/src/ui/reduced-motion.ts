import type { Options } from '../options.ts'

/**
 * WCAG 2.2.2: a viewer must be able to stop what moves by itself. Without controls that is impossible, so a viewer who
 * prefers reduced motion then starts the video.
 */
export const isMotionUnwanted = ({ hasControls }: Options): boolean =>
  !hasControls && matchMedia('(prefers-reduced-motion: reduce)').matches
