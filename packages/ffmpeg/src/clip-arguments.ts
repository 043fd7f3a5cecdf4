import type { Probe } from './probe.ts'
import { fileArgument, inputArguments, withoutExtrasArguments } from './safe-arguments.ts'

export type ClipOptions = {
  inputPath: string
  /** Ends with the extension of `clipFormat`. */
  outputPath: string
  probe: Probe
  startSeconds: number
  endSeconds: number
}

/** What MP4 takes, and our packager reads, as it is. */
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

/** QuickTime takes what cameras write; Matroska takes nearly everything. */
export const clipFormat = ({ formatNames, video, audio }: Probe): 'mp4' | 'mov' | 'matroska' => {
  const codecs = [...(video ? [video.codec] : []), ...audio.map(({ codec }) => codec)]
  if (codecs.every((codec) => mp4Codecs.has(codec))) return 'mp4'
  return formatNames.includes('mov') ? 'mov' : 'matroska'
}

/** ffmpeg reads no exponents: 1e-7 would end the run. */
const secondsArgument = (seconds: number): string => seconds.toFixed(6)

/**
 * Copies a part of a file without encoding: from the last key frame at or before the start to the end. To be run without pipes; the output file is
 * only whole when the run succeeded.
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
    // AVI and the like keep no presentation times.
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
    // Else an edit list would hide what lies between the key frame and the start, and with it what keeps sound and picture together.
    ['-avoid_negative_ts', 'make_zero'],
    ['-f', clipFormat(probe), fileArgument(outputPath)],
  ].flat()
}
