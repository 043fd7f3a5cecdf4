import type { MediaMessage } from '@zoetrope/rtmp'
import { expect, test } from 'vitest'
import { PublisherWatch } from './publisher-watch.ts'

const configuration = { type: 'video-configuration' } as MediaMessage
const frame = { type: 'video-frame' } as MediaMessage

test('a publisher fails after ten seconds without media, or thirty seconds without a key frame', () => {
  const watch = new PublisherWatch(0)
  expect(watch.failure(10_000)).toBeNull()
  expect(watch.failure(10_001)?.text).toContain('no video or audio')
  watch.receive(configuration, 10_001)
  expect(watch.failure(30_000)).toBeNull()
  expect(watch.failure(30_001)?.text).toContain('no key frame')
})

test('a publisher fails after thirty seconds without a new part, at any time', () => {
  const watch = new PublisherWatch(0)
  watch.receive(configuration, 0)
  watch.receive(frame, 100_000)
  watch.seePart()
  for (let nowMs = 101_000; nowMs <= 130_000; nowMs += 1_000) {
    watch.receive(frame, nowMs)
    expect(watch.failure(nowMs)).toBeNull()
  }
  expect(watch.failure(130_001)?.text).toContain('timestamps that do not advance')
})
