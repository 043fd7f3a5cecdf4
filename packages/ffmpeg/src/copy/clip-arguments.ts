import type { Probe } from '../probe/probe.ts'
import { fileArgument, inputArguments, withoutExtrasArguments } from '../run/safe-arguments.ts'

export type ClipOptions = {
  inputPath: string
  /** Its extension matches `clipFormat`. */
  outputPath: string
  probe: Probe
  startSeconds: number
  endSeconds: number
}

/** Codecs that both MP4 and the packager support without conversion. */
const mp4Codecs = new Set([
  'h264',
  'hevc',
  'av1',
  'vp9',
  'mpeg4',
  'aac',
  'mp3',
  'ac3',
  'eac3',
  'opus',
  'flac',
])

/**
 * QuickTime supports camera codecs; Matroska supports nearly every codec. Reordered frames stay in AVI: it has no
 * presentation times, and those that ffmpeg makes up would show them in the wrong order.
 */
export const clipFormat = ({ formatNames, video, audio }: Probe): 'avi' | 'mp4' | 'mov' | 'matroska' => {
  if (formatNames.includes('avi') && video?.hasBFrames === true) return 'avi'
  const codecs = [...(video ? [video.codec] : []), ...audio.map(({ codec }) => codec)]
  if (codecs.every((codec) => mp4Codecs.has(codec))) return 'mp4'
  return formatNames.includes('mov') ? 'mov' : 'matroska'
}

/** ffmpeg does not parse exponents: 1e-7 would end the run. */
const secondsArgument = (seconds: number): string => seconds.toFixed(6)

/**
 * Returns arguments that copy part of a file without encoding, from the last key frame at or before the start
 * to the end. Run it without pipes. The output is complete only if the run succeeds.
 */
export const clipArguments = ({
  inputPath,
  outputPath,
  probe,
  startSeconds,
  endSeconds,
}: ClipOptions): string[] => {
  const { video, audio } = probe
  const streams = [...(video ? [video.index] : []), ...audio.map(({ index }) => index)]
  return [
    ['-nostdin', '-y'],
    // Containers such as AVI store no presentation times.
    inputArguments(inputPath, [
      '-fflags',
      '+genpts',
      '-ss',
      secondsArgument(startSeconds),
      '-to',
      secondsArgument(endSeconds),
    ]),
    streams.flatMap((index) => ['-map', `0:${index}`]),
    ['-c', 'copy', ...withoutExtrasArguments],
    // Without this, an edit list hides the frames between the key frame and the start, and audio loses sync
    // with video.
    ['-avoid_negative_ts', 'make_zero'],
    ['-f', clipFormat(probe), fileArgument(outputPath)],
  ].flat()
}
