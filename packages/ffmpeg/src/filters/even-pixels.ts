/**
 * Rounds to an even number of pixels, because chroma has half the resolution. The result never exceeds
 * `maxPixels`, but is at least 2.
 */
export const evenPixels = (pixels: number, maxPixels = Infinity): number =>
  Math.max(2, Math.min(2 * Math.round(pixels / 2), 2 * Math.floor(maxPixels / 2)))
