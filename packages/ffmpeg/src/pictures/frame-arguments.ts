import { pictureBranches, pictureOutputs, posterSize, type PicturePaths } from './picture-outputs.ts'
import type { Probe } from '../probe/probe.ts'
import { inputArguments } from '../run/safe-arguments.ts'
import { deinterlaceFilters, displaySize, scaleFilters, toneMapFilters } from '../filters/video-filters.ts'

export type FrameOptions = PicturePaths & {
  inputPath: string
  probe: Probe
  /** Relative to the start of the file. */
  positionSeconds: number
}

/**
 * Decoding starts at least this long before the position. Frames displayed before a key frame may depend on
 * the previous one, and containers without an index seek imprecisely.
 */
const indexedLeadSeconds = 2
const otherLeadSeconds = 10
const indexedFormats = ['mov', 'matroska']

/**
 * Returns arguments that write the frame displayed at the position as poster and thumbnail. `fps` holds each
 * frame until the next and first emits the one at `start_time`. A position after the end writes no file.
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
