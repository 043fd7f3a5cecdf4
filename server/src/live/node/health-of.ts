import { toTimestamp } from '../../platform/base/timestamp.ts'
import type { LiveHealth } from '../control/nodes/live-status.ts'
import type { ViewerStats } from './delivery/live-viewers.ts'
import type { Broadcast } from './broadcast/broadcast.ts'

const seconds = (ms: number | null): number | null => (ms === null ? null : Math.round(ms) / 1_000)
const rounded = (value: number): number => Math.round(value * 100) / 100
const at = (ms: number): string => toTimestamp(new Date(ms))

/**
 * Target latency in seconds: players stay three parts behind the end of the playlist, plus 0.3 s for
 * transport.
 */
const targetOf = ({ channel }: Broadcast): number | null => {
  const partSeconds = channel.packager.targets?.partTargetSeconds
  return partSeconds === undefined ? null : rounded(3 * partSeconds + 0.3)
}

export const healthOf = (broadcast: Broadcast, viewers: ViewerStats, nowMs: number): LiveHealth => {
  const { publisher, channel, warnings } = broadcast
  const figures = broadcast.health.figures(nowMs)
  const [video, audio] = (['video', 'audio'] as const).map((kind) => channel.packager.rendition(kind)?.format)
  const recording = broadcast.recorder.state()
  return {
    Publisher: publisher && {
      Protocol: publisher.protocol,
      Address: publisher.remoteAddress,
      Encoder: publisher.encoder,
    },
    Video:
      publisher === null || video === undefined
        ? null
        : {
            Codec: video.codec,
            Width: video.widthPixels,
            Height: video.heightPixels,
            FrameRate: rounded(figures.framesPerSecond),
            BitRate: figures.videoBitsPerSecond,
            KeyFrameInterval: seconds(figures.keyFrameIntervalMs),
          },
    Audio:
      publisher === null || audio === undefined
        ? null
        : {
            Codec: audio.codec,
            Channels: audio.channels,
            SampleRate: audio.sampleRateHz,
            BitRate: figures.audioBitsPerSecond,
          },
    DroppedFrames: figures.droppedFrames,
    DriftMs: figures.driftMs === null ? null : rounded(figures.driftMs),
    Viewers: viewers.viewers,
    Latency: {
      Target: targetOf(broadcast),
      MeasuredP50: seconds(viewers.latencyP50Ms),
      MeasuredP95: seconds(viewers.latencyP95Ms),
    },
    Warnings: warnings.current().map(({ code, message, sinceMs }) => ({
      Code: code,
      Message: message,
      Since: at(sinceMs),
    })),
    Recording: recording && {
      State: recording.state,
      Since: at(recording.sinceMs),
      Bytes: recording.sizeBytes,
    },
  }
}
