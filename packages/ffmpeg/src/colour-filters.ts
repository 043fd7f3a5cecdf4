import type { VideoStream } from './probe.ts'

/** What `colorspace` calls the matrices of SD, early HD and UHD television. */
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

/** Files that say nothing are in practice what television of their size is; players guess the same. */
const matrixOf = ({ colorMatrix, widthPixels, heightPixels }: VideoStream): string => {
  if (colorMatrix !== null) return colorMatrix
  if (widthPixels >= 1280 || heightPixels > 576) return 'bt709'
  return heightPixels > 486 ? 'bt470bg' : 'smpte170m'
}

/** Where scaling makes YUV of RGB: by the matrix that all renditions have. */
export const scaleMatrix = (video: VideoStream): string => (isRgb(video) ? ':out_color_matrix=bt709' : '')

/**
 * Whatever the source is, its renditions are BT.709 and say so: else a player would guess by the size of each, and colours would change with
 * the rung. Behind scaling; HDR has come through tone mapping.
 */
export const colourFilters = (video: VideoStream): string[] => {
  if (video.isHdr) return []
  const other = isRgb(video) ? undefined : otherMatrices[matrixOf(video)]
  if (other !== undefined) return ['format=yuv420p', `colorspace=all=bt709:iall=${other}:irange=tv:range=tv`]
  return ['setparams=color_primaries=bt709:color_trc=bt709:colorspace=bt709:range=tv']
}
