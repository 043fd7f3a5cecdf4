import { maxPicturePixels } from './safe-arguments.ts'
import type { PictureSize } from './video-filters.ts'

/** A picture that is burnt into the video. */
export type Watermark = {
  /** A PNG, which may be transparent, in base64: a plan is kept as JSON, and carried out on any machine. */
  picture: string
  position: 'top-left' | 'top-right' | 'bottom-left' | 'bottom-right'
  /** Over what the picture has itself. */
  opacityRatio: number
  /** Of the width of the video. */
  widthRatio: number
}

/** Of the video's width, from its edges. */
const marginRatio = 0.03

/** In the work folder, where it has to be before the run begins. */
export const watermarkFileName = 'watermark.png'

/** Its demuxer is for this input alone: the source may not be a picture. */
export const watermarkInput: readonly string[] = [
  ...['-protocol_whitelist', 'file', '-format_whitelist', 'png_pipe', '-f', 'png_pipe'],
  ...['-max_pixels', String(maxPicturePixels), '-i', `file:${watermarkFileName}`],
]

const even = (pixels: number): number => Math.max(2, 2 * Math.round(pixels / 2))

/**
 * Draws input `inputIndex` over the pictures labelled `from`, which have this size, as long as they last. On even pixels: colour has half the resolution,
 * and the mark would have a fringe.
 */
export const watermarkBranches = (
  { position, opacityRatio, widthRatio }: Watermark,
  video: PictureSize & { from: string; to: string; inputIndex: number },
): string[] => {
  const margin = even(video.widthPixels * marginRatio)
  const box = {
    width: even(Math.min(video.widthPixels * widthRatio, video.widthPixels - 2 * margin)),
    height: even(video.heightPixels - 2 * margin),
  }
  const x = position.endsWith('left') ? String(margin) : `trunc((W-w-${margin})/2)*2`
  const y = position.startsWith('top') ? String(margin) : `trunc((H-h-${margin})/2)*2`
  const mark = [
    'sidedata=mode=delete',
    'format=rgba',
    `colorchannelmixer=aa=${opacityRatio}`,
    `scale=${box.width}:${box.height}:force_original_aspect_ratio=decrease:out_color_matrix=bt709:out_range=tv`,
    'format=yuva420p',
  ]
  return [
    `[${video.inputIndex}:v:0]${mark.join(',')}[mark]`,
    `[${video.from}][mark]overlay=x=${x}:y=${y}:format=yuv420[${video.to}]`,
  ]
}
