import { expect, test } from 'vitest'
import { followLive, type LivePlace } from './follow-live.ts'

const limits = { liveWithinSeconds: 1.5, jumpAfterSeconds: 3, fastestRate: 1.1 }

/** Imitates a playing video this far behind the live edge at 100 s, with this much buffered ahead. */
const openVideo = (behindSeconds: number, { aheadSeconds = 2, isStalled = false } = {}) => {
  const range = (from: () => number, to: () => number): TimeRanges => ({ length: 1, start: from, end: to })
  let onPause = (): void => {}
  const video = {
    currentTime: 100 - behindSeconds,
    playbackRate: 1,
    paused: false,
    seeking: false,
    readyState: 4,
    buffered: range(
      () => 0,
      () => 100 - behindSeconds + aheadSeconds,
    ),
    seekable: range(
      () => 40,
      () => 101,
    ),
    addEventListener: (_event: 'pause', listener: () => void) => {
      onPause = listener
    },
  }
  const place: LivePlace = { position: 100, limits, isStalled }
  const follower = followLive(video, () => place)
  const setPaused = (paused: boolean): void => {
    video.paused = paused
    if (paused) onPause()
  }
  const is = () => ({
    behind: 100 - video.currentTime,
    rate: video.playbackRate,
    isAtLive: follower.isAtLive(),
  })
  return { video, follower, setPaused, is }
}

test.each([
  { behind: 0.08, result: { behind: 0.08, rate: 1, isAtLive: true } },
  { behind: 0.15, result: { behind: 0.15, rate: 1.05, isAtLive: true } },
  { behind: 0.6, result: { behind: 0.6, rate: 1.05, isAtLive: true } },
  { behind: 1.2, result: { behind: 1.2, rate: 1.1, isAtLive: true } },
  { behind: 2.9, result: { behind: 2.9, rate: 1.1, isAtLive: false } },
  { behind: 3.1, result: { behind: 0, rate: 1, isAtLive: true } },
  { behind: 7, result: { behind: 0, rate: 1, isAtLive: true } },
])('a viewer $behind s behind catches up: $result', ({ behind, result }) => {
  const { follower, is } = openVideo(behind)
  follower.keepUp()
  const now = is()
  expect(now).toEqual({
    ...result,
    behind: expect.closeTo(result.behind) as number,
    rate: expect.closeTo(result.rate) as number,
  })
})

test('the rate stays raised until the live edge is reached', () => {
  const { video, follower, is } = openVideo(0.6)
  follower.keepUp()
  video.currentTime = 99.8
  follower.keepUp()
  expect(is().rate).toBeCloseTo(1.05)
  video.currentTime = 99.99
  follower.keepUp()
  expect(is().rate).toBe(1)
})

test('a viewer with a short buffer does not play faster', () => {
  const { follower, is } = openVideo(2, { aheadSeconds: 0.3 })
  follower.keepUp()
  expect(is()).toMatchObject({ rate: 1, isAtLive: false })
})

test('a stalled picture is not live', () => {
  expect(openVideo(0, { isStalled: true }).is().isAtLive).toBe(false)
})

test.each([1, 2, 5, 30])(
  'a viewer who paused for %d s stays behind until the Live button is pressed',
  (seconds) => {
    const { follower, setPaused, is } = openVideo(seconds)
    setPaused(true)
    expect(is().isAtLive).toBe(false)
    setPaused(false)
    follower.keepUp()
    expect(is()).toMatchObject({ behind: seconds, rate: 1 })
    follower.goLive()
    follower.keepUp()
    const now = is()
    expect(now.isAtLive).toBe(true)
    expect(now.behind > 0 ? now.rate : 1.1).toBeGreaterThan(1)
  },
)

test('a viewer who seeks back stays there at normal rate', () => {
  const { follower, video, is } = openVideo(0.6)
  follower.keepUp()
  follower.choose(95)
  follower.keepUp()
  expect(is()).toEqual({ behind: 5, rate: 1, isAtLive: false })
  follower.choose(99)
  expect(video.currentTime).toBe(100)
  expect(is().isAtLive).toBe(true)
})
