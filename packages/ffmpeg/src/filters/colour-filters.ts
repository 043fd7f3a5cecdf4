import type { VideoStream } from '../probe/probe.ts'

/** Names that the `colorspace` filter uses for the matrices of SD, early HD and UHD television. */
const otherMatrices: Record<string, string | undefined> = {
  smpte170m: 'bt601-6-525',
  fcc: 'bt601-6-525',
  bt470bg: 'bt601-6-625',
  smpte240m: 'smpte240m',
  bt2020nc: 'bt2020',
  bt2020c: 'bt2020',
}

const isRgb = ({ pixelFormat, colorMatrix }: VideoStream): boolean =>
  colorMatrix === 'gbr' || /^(?:[ax0]?(?:rgb|bgr)|gbr|pal8|x2|rgba|bgra)/.test(pixelFormat)

/**
 * Returns the color matrix of the video. For untagged files it assumes the television standard of their size,
 * as players do.
 */
const matrixOf = ({ colorMatrix, widthPixels, heightPixels }: VideoStream): string => {
  if (colorMatrix !== null) return colorMatrix
  if (widthPixels >= 1280 || heightPixels > 576) return 'bt709'
  return heightPixels > 486 ? 'bt470bg' : 'smpte170m'
}

/** Converts RGB to YUV with the matrix that all renditions use. */
export const scaleMatrix = (video: VideoStream): string => (isRgb(video) ? ':out_color_matrix=bt709' : '')

/**
 * Returns filters that convert every source to tagged BT.709. Without tags, players guess from the frame
 * size, and colors change with the rung. They follow scaling; tone mapping has already converted HDR.
 */
export const colourFilters = (video: VideoStream): string[] => {
  if (video.isHdr) return []
  const other = isRgb(video) ? undefined : otherMatrices[matrixOf(video)]
  if (other !== undefined) return ['format=yuv420p', `colorspace=all=bt709:iall=${other}:irange=tv:range=tv`]
  return ['setparams=color_primaries=bt709:color_trc=bt709:colorspace=bt709:range=tv']
}
