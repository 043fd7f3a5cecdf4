import { pictureBranches, pictureOutputs, posterSize, type PicturePaths } from './picture-outputs.ts'
import type { Probe, VideoStream } from '../probe/probe.ts'
import { inputArguments } from '../run/safe-arguments.ts'
import { deinterlaceFilters, displaySize, scaleFilters, toneMapFilters } from '../filters/video-filters.ts'

export type PosterOptions = PicturePaths & {
  inputPath: string
  probe: Probe
  /** Number of key frames of the video; null = unknown. */
  keyFrameCount: number | null
}

/** Longer than most intros, and short enough to read within a second. */
const searchedSeconds = 20
const candidateEverySeconds = 0.5
/** Key frames are enough with this average distance, and at least three of them. */
const keyFrameEverySeconds = 4
const fewestKeyFrames = 3

/**
 * Both branches write the same file: first the first frame, then the most typical frame that is not black.
 * This way an all-black video still has an image.
 */
const posterGraph = (video: VideoStream): string => {
  const poster = posterSize(displaySize(video))
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
  return [
    `[0:${video.index}]${candidates.join(',')},split[a][b]`,
    '[a]trim=end_frame=1[first]',
    `[b]${notBlack.join(',')}[typical]`,
    // concat may give two single frames the same time, which an encoder rejects, so they are set a second apart.
    '[first][typical]concat=n=2,settb=1/25,setpts=N*25[chosen]',
    ...pictureBranches('chosen', poster),
  ].join(';')
}

const areKeyFramesEnough = ({ probe, keyFrameCount }: PosterOptions): boolean => {
  const { durationSeconds } = probe
  if (durationSeconds === null) return false
  if (durationSeconds > searchedSeconds) return true
  return (
    keyFrameCount !== null &&
    keyFrameCount >= Math.max(fewestKeyFrames, durationSeconds / keyFrameEverySeconds)
  )
}

/**
 * Returns arguments that write poster and thumbnail in one run without pipes. Decodes only key frames where these are enough:
 * decoding 20 seconds of 4K takes longer than all other steps of a short file.
 */
export const posterArguments = (options: PosterOptions): string[] => {
  const { inputPath, probe, keyFrameCount: _keyFrameCount, ...paths } = options
  const video = probe.video ?? probe.cover
  if (video === undefined) throw new Error('A file without video and cover has no poster.')
  const searched = [
    ...['-t', String(searchedSeconds)],
    ...(areKeyFramesEnough(options) ? ['-skip_frame', 'nokey'] : []),
  ]
  return [
    '-nostdin',
    '-y',
    ...inputArguments(inputPath, searched),
    '-filter_complex',
    posterGraph(video),
    ...pictureOutputs(paths),
  ]
}
