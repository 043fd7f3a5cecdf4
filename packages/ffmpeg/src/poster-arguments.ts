import type { Probe, VideoStream } from './probe.ts'
import { fileArgument, inputArguments, withoutExtrasArguments } from './safe-arguments.ts'
import { deinterlaceFilters, scaleFilters, toneMapFilters, type PictureSize } from './video-filters.ts'

export type PosterOptions = {
  inputPath: string
  probe: Probe
  /** JPEG, upright, square pixels, longest side at most 1920. */
  posterPath: string
  /** The same picture, 320 wide. */
  thumbnailPath: string
}

const maxPosterPixels = 1920
const thumbnailWidthPixels = 320

/** Longer than most intros, short enough to be read in a second. */
const searchedSeconds = 20
const candidateEverySeconds = 0.5

const evenPixels = (pixels: number): number => Math.max(2, 2 * Math.round(pixels / 2))

const posterSize = ({ displayWidthPixels, displayHeightPixels }: VideoStream): PictureSize => {
  const scale = Math.min(1, maxPosterPixels / Math.max(displayWidthPixels, displayHeightPixels))
  return {
    widthPixels: evenPixels(displayWidthPixels * scale),
    heightPixels: evenPixels(displayHeightPixels * scale),
  }
}

const thumbnailSize = (poster: PictureSize): PictureSize => ({
  widthPixels: thumbnailWidthPixels,
  heightPixels: evenPixels((poster.heightPixels * thumbnailWidthPixels) / poster.widthPixels),
})

/**
 * Both branches are written over one another: first the first frame, then the most typical one that is not black. So a picture exists even where
 * all of them are black.
 */
const posterGraph = (video: VideoStream): string => {
  const poster = posterSize(video)
  const thumbnail = thumbnailSize(poster)
  const candidates = [
    ...deinterlaceFilters(video),
    `select='isnan(prev_selected_t)+gte(t-prev_selected_t,${candidateEverySeconds})'`,
    ...scaleFilters(poster),
    ...toneMapFilters(video),
  ]
  const notBlack = [
    'blackframe=amount=0:threshold=32',
    'metadata=mode=select:key=lavfi.blackframe.pblack:value=90:function=less',
    'thumbnail=n=100',
  ]
  const asJpeg = ({ widthPixels, heightPixels }: PictureSize): string =>
    `scale=${widthPixels}:${heightPixels}:out_range=pc,format=yuv420p`
  return [
    `[0:${video.index}]${candidates.join(',')},split[a][b]`,
    '[a]trim=end_frame=1[first]',
    `[b]${notBlack.join(',')}[typical]`,
    // Two single frames may get the same time from concat, which an encoder refuses: counted instead.
    '[first][typical]concat=n=2,settb=1/25,setpts=N,split[c][d]',
    `[c]${asJpeg(poster)}[poster]`,
    `[d]${asJpeg(thumbnail)}[thumbnail]`,
  ].join(';')
}

const jpegOutput = (label: string, path: string): string[] =>
  [
    ['-map', label, ...withoutExtrasArguments, '-fps_mode', 'passthrough'],
    // JPEG is full range; `unofficial` allows to say so without the deprecated pixel formats.
    ['-c:v', 'mjpeg', '-q:v', '3', '-color_range', 'pc', '-strict', 'unofficial'],
    ['-f', 'image2', '-update', '1', fileArgument(path)],
  ].flat()

/** Poster and thumbnail in one run without pipes. Of long files only the key frames are decoded. */
export const posterArguments = ({ inputPath, probe, posterPath, thumbnailPath }: PosterOptions): string[] => {
  const { video, durationSeconds } = probe
  if (!video) throw new Error('A file without video has no poster.')
  const isLong = durationSeconds !== null && durationSeconds > searchedSeconds
  const searched = ['-t', String(searchedSeconds), ...(isLong ? ['-skip_frame', 'nokey'] : [])]
  return [
    '-nostdin',
    '-y',
    ...inputArguments(inputPath, searched),
    '-filter_complex',
    posterGraph(video),
    ...jpegOutput('[poster]', posterPath),
    ...jpegOutput('[thumbnail]', thumbnailPath),
  ]
}
