import {
  defaultPackaging,
  LivePackager,
  LivePlaylists,
  type LiveSegment,
  type LiveVideoCodec,
  type VideoUnit,
} from '@zoetrope/ll-hls'
import type { MediaMessage } from '@zoetrope/rtmp'
import { onTestFinished } from 'vitest'
import { feedPackager } from '../../../channel/feed-packager.ts'
import type { CannedStream } from '../../recording/test-support/canned-stream.ts'
import { createLadder, type LadderOptions } from '../create-ladder.ts'
import { createLadderSlots } from '../ladder-slots.ts'

export interface Warned {
  readonly raised: string[]
  readonly reported: string[]
  readonly cleared: string[]
}

/**
 * Runs a ladder as a broadcast does. Frames arrive as fast as the test sends them, and the clock moves only
 * when the test sets it.
 */
export const startLadderBench = async (options: Partial<LadderOptions> = {}) => {
  const clock = { ms: 0 }
  const packager = new LivePackager({ ...defaultPackaging, now: () => clock.ms })
  const warned: Warned = { raised: [], reported: [], cleared: [] }
  const ladder = createLadder({
    packager,
    rungs: [{ heightPixels: 96 }, { heightPixels: 64 }],
    slots: createLadderSlots(1),
    warnings: {
      raise: (code) => void warned.raised.push(code),
      report: (code) => void warned.reported.push(code),
      clear: (code) => void warned.cleared.push(code),
    },
    now: () => clock.ms,
    // A test sends all frames at once, so that the encoder needs longer to drain.
    drainMs: 60_000,
    ...options,
  })
  onTestFinished(async () => {
    await ladder.stop('shutdown')
  })
  const receive = (message: MediaMessage): void => {
    ladder.onMessage!(message)
    feedPackager(packager, message)
  }
  return { packager, playlists: new LivePlaylists(packager), ladder, receive, warned, clock }
}

export interface Sending {
  readonly codec?: LiveVideoCodec
  readonly startMs?: number
  readonly fromMs?: number
  readonly untilMs?: number
}

export const messagesOf = (
  { video, audio }: CannedStream,
  { codec = 'avc1', startMs = 0, fromMs = 0, untilMs = Infinity }: Sending = {},
): MediaMessage[] => {
  const frames: { ms: number; message: MediaMessage }[] = [
    ...video.units.map(({ decodeMs, compositionMs, isKeyFrame, data }) => ({
      ms: decodeMs,
      message: {
        type: 'video-frame' as const,
        codec,
        timestampMs: startMs + decodeMs,
        compositionTimeMs: compositionMs,
        isKeyFrame,
        data,
      },
    })),
    ...audio.units.map(({ timestampMs, data }) => ({
      ms: timestampMs,
      message: {
        type: 'audio-frame' as const,
        codec: 'mp4a' as const,
        timestampMs: startMs + timestampMs,
        data,
      },
    })),
  ]
  return [
    ...(video.units.length > 0
      ? [{ type: 'video-configuration' as const, codec, data: video.configuration }]
      : []),
    { type: 'audio-configuration', codec: 'mp4a', data: audio.configuration },
    ...frames
      .filter(({ ms }) => ms >= fromMs && ms < untilMs)
      .toSorted((a, b) => a.ms - b.ms)
      .map(({ message }) => message),
  ]
}

/** Returns the presentation times of the pictures on the clock of the publisher, in ascending order. */
export const shownMs = (units: readonly VideoUnit[]): number[] =>
  units.map(({ decodeMs, compositionMs }) => decodeMs + compositionMs).toSorted((a, b) => a - b)

export const bytesOf = ({ parts }: LiveSegment): Buffer => Buffer.concat(parts.map(({ data }) => data))
