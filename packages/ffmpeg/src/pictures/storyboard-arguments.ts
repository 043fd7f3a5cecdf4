import { jpegArguments, jpegFilters, scaledToWidth } from './picture-outputs.ts'
import type { Probe } from '../probe/probe.ts'
import { fileArgument, inputArguments, withoutExtrasArguments } from '../run/safe-arguments.ts'
import { steadyFilterArguments } from '../filters/steady-filters.ts'
import { displaySize, scaleFilters, toneMapFilters, type PictureSize } from '../filters/video-filters.ts'

export type StoryboardOptions = {
  /** File of key frames; its times start at `startSeconds`. */
  inputPath: string
  probe: Probe
  startSeconds: number
  /** Time between tiles, in whole milliseconds. */
  intervalMs: number
  tileCount: number
  /** All tiles in one JPEG. */
  sheetPath: string
  /** The same images at twice the width, as concatenated JPEGs. */
  stillsPath: string
}

/** Ten by ten tiles at most: 1600 × 900 pixels for 16:9. */
export const maxStoryboardTiles = 100
const maxColumns = 10
const tileWidthPixels = 160
const maxTileHeightPixels = 284
const stillScale = 2
/** Tiles are small and shown briefly, so lower quality is enough. */
const quality = 5

export type StoryboardLayout = { tile: PictureSize; columns: number }

export const storyboardLayout = (probe: Probe, tileCount: number): StoryboardLayout => {
  if (!probe.video) throw new Error('A file without video has no storyboard.')
  return {
    tile: scaledToWidth(displaySize(probe.video), {
      widthPixels: tileWidthPixels,
      heightPixels: maxTileHeightPixels,
    }),
    columns: Math.min(maxColumns, tileCount),
  }
}

/**
 * Returns arguments that write sheet and stills in one run without pipes, decoding only key frames. Each tile
 * shows the last key frame at or before its time, because `fps` rounds up. The last key frame fills the
 * remaining tiles.
 */
export const storyboardArguments = (options: StoryboardOptions): string[] => {
  const { inputPath, probe, startSeconds, intervalMs, tileCount, sheetPath, stillsPath } = options
  const { tile, columns } = storyboardLayout(probe, tileCount)
  if (!probe.video) throw new Error('A file without video has no storyboard.')
  const still = {
    widthPixels: tile.widthPixels * stillScale,
    heightPixels: tile.heightPixels * stillScale,
  }
  const pictures = [
    ...scaleFilters(still),
    ...toneMapFilters(probe.video),
    // `fps` holds each frame until the next one, so a clone of the last frame releases it.
    'tpad=stop=1:stop_mode=clone',
    `fps=fps=1000/${intervalMs}:start_time=${startSeconds}:round=up`,
    'tpad=stop=-1:stop_mode=clone',
    `trim=end_frame=${tileCount}`,
  ]
  const entry = ['-copyts', '-skip_frame', 'nokey', ...steadyFilterArguments(probe.video)]
  const rows = Math.ceil(tileCount / columns)
  return [
    ['-nostdin', '-y', ...inputArguments(inputPath, entry)],
    [
      '-filter_complex',
      [
        `[0:${probe.video.index}]${pictures.join(',')},split[large][small]`,
        `[large]${jpegFilters(still)}[stills]`,
        `[small]${jpegFilters(tile)},tile=${columns}x${rows}[sheet]`,
      ].join(';'),
    ],
    ['-map', '[sheet]', ...withoutExtrasArguments, '-frames:v', '1', ...jpegArguments(quality)],
    ['-f', 'image2', '-update', '1', fileArgument(sheetPath)],
    ['-map', '[stills]', ...withoutExtrasArguments, '-fps_mode', 'passthrough', ...jpegArguments(quality)],
    ['-f', 'mjpeg', fileArgument(stillsPath)],
  ].flat()
}
