import { fileArgument, withoutExtrasArguments } from '../run/safe-arguments.ts'
import { evenPixels } from '../filters/even-pixels.ts'
import type { PictureSize } from '../filters/video-filters.ts'

/** A still image is written as two JPEGs: one for players and a small one for lists. */
export type PicturePaths = {
  /** Upright, square pixels, longest side at most 1920. */
  posterPath: string
  /** The same image, 320 wide; narrower when it would be very tall. */
  thumbnailPath: string
}

const maxPosterPixels = 1920
const thumbnailWidthPixels = 320
const maxThumbnailHeightPixels = 1280

const scaled = ({ widthPixels, heightPixels }: PictureSize, scale: number): PictureSize => ({
  widthPixels: evenPixels(widthPixels * scale),
  heightPixels: evenPixels(heightPixels * scale),
})

/** Never larger than the source image. */
export const posterSize = (picture: PictureSize): PictureSize =>
  scaled(picture, Math.min(1, maxPosterPixels / Math.max(picture.widthPixels, picture.heightPixels)))

/** Scales to the width of the box, or to its height when the image is taller. */
export const scaledToWidth = (picture: PictureSize, box: PictureSize): PictureSize =>
  scaled(picture, Math.min(box.widthPixels / picture.widthPixels, box.heightPixels / picture.heightPixels))

const thumbnailSize = (poster: PictureSize): PictureSize =>
  scaledToWidth(poster, { widthPixels: thumbnailWidthPixels, heightPixels: maxThumbnailHeightPixels })

export const jpegFilters = ({ widthPixels, heightPixels }: PictureSize): string =>
  `scale=${widthPixels}:${heightPixels}:out_range=pc,format=yuv420p`

/** Returns the end of a filter graph, which writes `label` in both sizes. */
export const pictureBranches = (label: string, poster: PictureSize): string[] => [
  `[${label}]split[large][small]`,
  `[large]${jpegFilters(poster)}[poster]`,
  `[small]${jpegFilters(thumbnailSize(poster))}[thumbnail]`,
]

/**
 * JPEG is full range; `unofficial` lets ffmpeg signal that without the deprecated pixel formats. A lower
 * value means higher quality.
 */
export const jpegArguments = (quality: number): string[] => [
  ...['-c:v', 'mjpeg', '-q:v', String(quality)],
  ...['-color_range', 'pc', '-strict', 'unofficial'],
]

export const pictureOutput = (label: string, path: string, encoder: readonly string[]): string[] =>
  [
    ['-map', label, ...withoutExtrasArguments, '-fps_mode', 'passthrough', ...encoder],
    ['-f', 'image2', '-update', '1', fileArgument(path)],
  ].flat()

export const pictureOutputs = ({ posterPath, thumbnailPath }: PicturePaths): string[] => [
  ...pictureOutput('[poster]', posterPath, jpegArguments(3)),
  ...pictureOutput('[thumbnail]', thumbnailPath, jpegArguments(3)),
]
