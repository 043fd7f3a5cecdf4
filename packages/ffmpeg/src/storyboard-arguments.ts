import { jpegArguments, jpegFilters, scaledToWidth } from './picture-outputs.ts'
import type { Probe } from './probe.ts'
import { fileArgument, inputArguments, withoutExtrasArguments } from './safe-arguments.ts'
import { steadyFilterArguments } from './steady-filters.ts'
import { displaySize, scaleFilters, toneMapFilters, type PictureSize } from './video-filters.ts'

export type StoryboardOptions = {
  /** Key frames; their times count from `startSeconds` on. */
  inputPath: string
  probe: Probe
  startSeconds: number
  /** From tile to tile, in whole milliseconds. */
  intervalMs: number
  tileCount: number
  /** All tiles in one JPEG. */
  sheetPath: string
  /** The same pictures, twice as wide, as JPEG after JPEG. */
  stillsPath: string
}

/** Ten by ten at most: a sheet of 1600 × 900 pixels for 16:9. */
export const maxStoryboardTiles = 100
const maxColumns = 10
const tileWidthPixels = 160
const maxTileHeightPixels = 284
const stillScale = 2
/** They are small, and looked at in passing. */
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
 * Sheet and stills in one run without pipes, which decodes nothing but key frames. Each tile shows the last one at or before its time: that is
 * what `fps` makes of rounding up; the last one stands for what comes after it.
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
    // A picture after the last one tells `fps` that the last one is over: it holds pictures back until it knows.
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
