import { pictureBranches, pictureOutputs, posterSize, type PicturePaths } from './picture-outputs.ts'
import type { Probe } from './probe.ts'
import { inputArguments } from './safe-arguments.ts'
import { deinterlaceFilters, displaySize, scaleFilters, toneMapFilters } from './video-filters.ts'

export type FrameOptions = PicturePaths & {
  inputPath: string
  probe: Probe
  /** From the start of the file. */
  positionSeconds: number
}

/**
 * How far in front of the position decoding begins at the latest. A key frame may be followed by frames that are shown before it and need the
 * one before; and containers without an index find their place only roughly.
 */
const indexedLeadSeconds = 2
const otherLeadSeconds = 10
const indexedFormats = ['mov', 'matroska']

/**
 * The frame that is to be seen at the position, as poster and thumbnail. `fps` answers it: it holds each frame until the next one, and the
 * first that it lets out is the one at `start_time`. Behind the end nothing comes out, and no file is written.
 */
export const frameArguments = ({ inputPath, probe, positionSeconds, ...paths }: FrameOptions): string[] => {
  const { video, formatNames } = probe
  if (!video) throw new Error('A file without video has no frames.')
  const isIndexed = formatNames.some((name) => indexedFormats.includes(name))
  const leadSeconds = Math.min(positionSeconds, isIndexed ? indexedLeadSeconds : otherLeadSeconds)
  const poster = posterSize(displaySize(video))
  const filters = [
    ...deinterlaceFilters(video),
    `fps=fps=1000:start_time=${leadSeconds.toFixed(6)}:round=near`,
    'trim=end_frame=1',
    ...scaleFilters(poster),
    ...toneMapFilters(video),
  ]
  return [
    '-nostdin',
    '-y',
    ...inputArguments(inputPath, ['-noaccurate_seek', '-ss', (positionSeconds - leadSeconds).toFixed(6)]),
    '-filter_complex',
    [`[0:${video.index}]${filters.join(',')}[chosen]`, ...pictureBranches('chosen', poster)].join(';'),
    ...pictureOutputs(paths),
  ]
}
