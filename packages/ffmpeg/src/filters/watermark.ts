import { acceptArguments } from '../run/accepted-media.ts'
import { maxPicturePixels } from '../run/safe-arguments.ts'
import { evenPixels } from './even-pixels.ts'
import type { PictureSize } from './video-filters.ts'

export type Watermark = {
  /** PNG in base64, possibly transparent. A plan is stored as JSON and can run on any machine. */
  picture: string
  position: 'top-left' | 'top-right' | 'bottom-left' | 'bottom-right'
  /** Multiplies the transparency of the image itself. */
  opacityRatio: number
  /** Width of the watermark, relative to the width of the video. */
  widthRatio: number
}

/** Margin to the edges, relative to the width of the video. */
const marginRatio = 0.03

/** File name in the work folder; the file must exist before the run starts. */
export const watermarkFileName = 'watermark.png'

/** The PNG demuxer is allowed only for this input: a source may not be an image. */
export const watermarkInput: readonly string[] = [
  ...acceptArguments({ protocols: ['file'], formats: ['png_pipe'], decoders: ['png'] }),
  ...['-f', 'png_pipe'],
  ...['-max_pixels', String(maxPicturePixels), '-i', `file:${watermarkFileName}`],
]

/**
 * Draws input `inputIndex` over the frames labelled `from`, which have this size. Positions are even, because
 * chroma has half the resolution and the mark would get a color fringe.
 */
export const watermarkBranches = (
  { position, opacityRatio, widthRatio }: Watermark,
  video: PictureSize & { from: string; to: string; inputIndex: number },
): string[] => {
  const margin = evenPixels(video.widthPixels * marginRatio)
  const box = {
    width: evenPixels(Math.min(video.widthPixels * widthRatio, video.widthPixels - 2 * margin)),
    height: evenPixels(video.heightPixels - 2 * margin),
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
