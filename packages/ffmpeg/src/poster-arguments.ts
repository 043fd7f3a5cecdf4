import { pictureBranches, pictureOutputs, posterSize, type PicturePaths } from './picture-outputs.ts'
import type { Probe, VideoStream } from './probe.ts'
import { inputArguments } from './safe-arguments.ts'
import { deinterlaceFilters, displaySize, scaleFilters, toneMapFilters } from './video-filters.ts'

export type PosterOptions = PicturePaths & {
  inputPath: string
  probe: Probe
}

/** Longer than most intros, short enough to be read in a second. */
const searchedSeconds = 20
const candidateEverySeconds = 0.5

/**
 * Both branches are written over one another: first the first frame, then the most typical one that is not black. So a picture exists even where
 * all of them are black.
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
    // Two single frames may get the same time from concat, which an encoder refuses: counted instead.
    '[first][typical]concat=n=2,settb=1/25,setpts=N[chosen]',
    ...pictureBranches('chosen', poster),
  ].join(';')
}

/** Poster and thumbnail in one run without pipes. Of long files only the key frames are decoded. */
export const posterArguments = ({ inputPath, probe, ...paths }: PosterOptions): string[] => {
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
    ...pictureOutputs(paths),
  ]
}
