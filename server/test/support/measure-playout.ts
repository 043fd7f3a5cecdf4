import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface PlayoutMeasure {
  /** Decoded frame size, such as `160x90`. Null without video. */
  readonly size: string | null
  readonly frameCount: number
  /** Time of the first bright frame and of the first sound, in seconds. Null without them. */
  readonly flashSeconds: number | null
  readonly beepSeconds: number | null
}

const brightLevel = 100
const printLevels = 'signalstats,metadata=print:key=lavfi.signalstats.YAVG:file=-'

/** Decodes a manifest as a player does. Expects a source that is dark and silent until a flash and a beep. */
export const measurePlayout = async (
  url: string,
  { hasVideo = true }: { readonly hasVideo?: boolean } = {},
): Promise<PlayoutMeasure> => {
  const video = ['-map', '0:v:0', '-vf', printLevels, '-fps_mode', 'passthrough', '-f', 'null', '-']
  const sound = ['-map', '0:a:0', '-af', 'silencedetect=noise=-20dB:duration=0.1', '-f', 'null', '-']
  const { stdout, stderr } = await run('ffmpeg', [
    ...['-nostdin', '-hide_banner', '-i', url],
    ...(hasVideo ? video : []),
    ...sound,
  ])
  const size = /Output #0.*?Video: .*?(\d+x\d+)/s.exec(stderr)
  const frames = [...stdout.matchAll(/pts_time:(\S+)\s+lavfi\.signalstats\.YAVG=(\S+)/g)]
  const flash = frames.find(([, , level]) => Number(level) > brightLevel)
  const beep = /silence_end: (\S+)/.exec(stderr)
  return {
    size: size?.[1] ?? null,
    frameCount: frames.length,
    flashSeconds: flash === undefined ? null : Number(flash[1]),
    beepSeconds: beep === null ? null : Number(beep[1]),
  }
}
