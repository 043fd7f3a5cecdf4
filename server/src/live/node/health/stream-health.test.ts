import type { MediaMessage } from '@zoetrope/rtmp'
import { describe, expect, test } from 'vitest'
import { createLiveWarnings } from './live-warnings.ts'
import { StreamHealth } from './stream-health.ts'

interface Shape {
  readonly seconds: number
  readonly keyEveryMs?: number
  readonly hasAudio?: boolean
  /** Map the time of a picture to the timestamp of the audio and to the wall clock. */
  readonly audioMs?: (ms: number) => number
  readonly wallMs?: (ms: number) => number
  readonly bytes?: (ms: number) => number
  readonly isSent?: (ms: number) => boolean
  readonly shown?: readonly ('video' | 'audio')[]
}

const video = (timestampMs: number, bytes: number, isKeyFrame: boolean): MediaMessage => ({
  type: 'video-frame',
  codec: 'avc1',
  timestampMs,
  compositionTimeMs: 0,
  isKeyFrame,
  data: Buffer.alloc(bytes),
})
const audio = (timestampMs: number): MediaMessage => ({
  type: 'audio-frame',
  codec: 'mp4a',
  timestampMs,
  data: Buffer.alloc(200),
})

/** Runs a publisher of 25 pictures a second, and returns the raised warnings in order. */
const watch = ({
  seconds,
  keyEveryMs = 2_000,
  hasAudio = true,
  audioMs = (ms) => ms,
  wallMs = (ms) => ms,
  bytes = () => 10_000,
  isSent = () => true,
  shown = ['video', 'audio'],
}: Shape) => {
  let nowMs = 0
  const raised: string[] = []
  const warnings = createLiveWarnings(() => nowMs)
  warnings.listen(({ code }) => raised.push(code))
  const health = new StreamHealth()
  health.begin(nowMs)
  let checkedSecond = 0
  for (let ms = 0; ms < seconds * 1_000; ms += 40) {
    nowMs = wallMs(ms)
    if (isSent(ms)) health.receive(video(ms, bytes(ms), ms % keyEveryMs === 0), nowMs)
    if (hasAudio) health.receive(audio(audioMs(ms)), nowMs)
    for (const track of shown) health.seeShown(track, nowMs)
    for (; checkedSecond < Math.floor(nowMs / 1_000); checkedSecond++) health.check(nowMs, warnings)
  }
  return { raised, current: warnings.current().map(({ code }) => code), figures: health.figures(nowMs) }
}

test('measures a steady publisher and raises no warning', () => {
  const { raised, figures } = watch({ seconds: 60 })
  expect(raised).toEqual([])
  expect(figures).toMatchObject({
    videoBitsPerSecond: 2_000_000,
    audioBitsPerSecond: 40_000,
    framesPerSecond: 25,
    keyFrameIntervalMs: 2_000,
    droppedFrames: 0,
    driftMs: 0,
    lagMs: 0,
  })
})

describe('warns of', () => {
  test.each<[string, Shape]>([
    ['key_frames_too_rare', { seconds: 20, keyEveryMs: 10_000 }],
    ['no_audio', { seconds: 20, hasAudio: false }],
    ['no_video', { seconds: 20, isSent: (ms) => ms < 5_000 }],
    ['video_not_shown', { seconds: 40, shown: ['audio'] }],
    ['audio_not_shown', { seconds: 40, shown: ['video'] }],
    ['frame_rate_drops', { seconds: 30, isSent: (ms) => ms < 22_000 || ms % 200 === 0 }],
    ['clock_drift', { seconds: 60, audioMs: (ms) => ms * 1.02 }],
    ['publisher_slow', { seconds: 60, wallMs: (ms) => ms * 1.1 }],
    ['publisher_fast', { seconds: 120, wallMs: (ms) => ms * 0.9 }],
    ['bit_rate_unstable', { seconds: 60, bytes: (ms) => (Math.floor(ms / 8_000) % 2 === 0 ? 500 : 20_000) }],
  ])('%s exactly once', (code, shape) => {
    expect(watch(shape).raised).toEqual([code])
  })
})

test('clears a warning when the fault ends, and raises it again when the fault returns', () => {
  const isSent = (ms: number) => ms < 5_000 || (ms > 20_000 && ms < 40_000) || ms > 60_000
  const { raised, current } = watch({ seconds: 80, isSent })
  expect(raised.filter((code) => code === 'no_video')).toEqual(['no_video', 'no_video'])
  expect(current).toEqual([])
})

test('counts missing frames', () => {
  const { figures } = watch({ seconds: 30, isSent: (ms) => ms % 10_000 < 9_800 })
  expect(figures.droppedFrames).toBe(2 * 5)
})

test('does not take an initial burst from the encoder for a wrong clock', () => {
  const { raised } = watch({ seconds: 60, wallMs: (ms) => Math.max(0, ms - 8_000) })
  expect(raised).toEqual([])
})
