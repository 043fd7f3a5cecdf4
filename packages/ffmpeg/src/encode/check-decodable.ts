import { text } from 'node:stream/consumers'
import { canCopyAudio, canCopyVideo } from '../probe/copyable.ts'
import { MediaError, mediaMessage } from '../run/media-error.ts'
import { isEncoded, planRenditions } from '../plan/plan-renditions.ts'
import type { Probe } from '../probe/probe.ts'
import { runFfmpeg } from '../run/run-ffmpeg.ts'
import { inputArguments } from '../run/safe-arguments.ts'

export type CheckOptions = {
  signal?: AbortSignal | undefined
  /** Whether the video is served unchanged; defaults to whether its codec plays everywhere. */
  isVideoCopied?: boolean | undefined
  copiedAudio?: readonly number[] | undefined
  ffmpegPath?: string | undefined
}

const checkedFrames = '3'

/**
 * Decodes the first frames of every track to encode, in about 0.1 s. ffprobe may mistake text for audio, and
 * names codecs that ffmpeg cannot decode. Rejects with a MediaError.
 */
export const checkDecodable = async (
  path: string,
  probe: Probe,
  options: CheckOptions = {},
): Promise<void> => {
  const isVideoCopied = options.isVideoCopied ?? (probe.video !== null && canCopyVideo(probe.video))
  const copiedAudio = options.copiedAudio ?? probe.audio.filter(canCopyAudio).map(({ index }) => index)
  const { audio } = planRenditions(probe, { isVideoCopied, copiedAudio })
  const checked: { kind: string; streamIndex: number }[] = []
  if (probe.video && !isVideoCopied) checked.push({ kind: 'video', streamIndex: probe.video.index })
  for (const { streamIndex } of audio.filter(isEncoded)) checked.push({ kind: 'audio', streamIndex })
  if (checked.length === 0) return

  // Each track has its own output: ffmpeg closes a shared output when the first track has its frames.
  const outputs = checked.flatMap(({ streamIndex }, number) => [
    '-map',
    `0:${streamIndex}`,
    '-frames',
    checkedFrames,
    '-f',
    'framecrc',
    `pipe:${3 + number}`,
  ])
  // Each thread may hold a frame and what belongs to it, so three frames are worth one thread.
  const run = runFfmpeg([...inputArguments(path, [], ['-threads', '1']), ...outputs], {
    outputPipes: checked.length,
    signal: options.signal,
    limits: { wallSeconds: 60, cpuSeconds: 30 },
    ffmpegPath: options.ffmpegPath,
  })
  const reports = await Promise.all(run.pipes.map((pipe) => text(pipe)))
  const { stderrTail } = await run.done
  checked.forEach(({ kind }, number) => {
    // framecrc writes comments, then one line per frame that starts with the stream number.
    if (/^0,/m.test(reports[number] ?? '')) return
    throw new MediaError(
      'corrupt',
      mediaMessage(kind === 'video' ? 'file_video_unreadable' : 'file_audio_unreadable'),
      stderrTail,
    )
  })
}
