import { findMoofEnd, IsobmffError, readMediaSegmentHead } from '@zoetrope/isobmff'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PlaylistRules } from '../../test-support/playlist-rules.ts'
import { aacConfiguration, announce, avcConfiguration, send, unitsOf } from '../../test-support/publisher.ts'
import type { PublisherShape } from '../../test-support/publisher.ts'
import { beginAt, defaultPackaging, LivePackager, LivePlaylists } from '../index.ts'
import type { LivePackagerOptions, TrackKind } from '../index.ts'
import { describeAudio } from '../media/track-format.ts'

const kinds: readonly TrackKind[] = ['video', 'audio']
const tracks = [...kinds, 'av'] as const
const wallMs = Date.UTC(2026, 2, 1, 12)

const create = (options: Partial<LivePackagerOptions> = {}) => {
  const packager = new LivePackager({ ...defaultPackaging, now: () => wallMs, ...options })
  const playlists = new LivePlaylists(packager)
  const rules = { video: new PlaylistRules(), audio: new PlaylistRules(), av: new PlaylistRules() }
  const check = () => tracks.forEach((track) => rules[track].check(playlists.media(track)))
  const publish = (shape: PublisherShape) => {
    announce(packager, shape)
    for (const item of unitsOf(shape)) {
      send(packager, item)
      check()
    }
  }
  const end = () => {
    packager.end()
    check()
  }
  return { packager, playlists, rules, check, publish, end }
}

const every =
  (fps: number) =>
  (index: number): number =>
    (index * 1_000) / fps
const gop = (frames: number) => (index: number) => index % frames === 0

const camera: PublisherShape = { seconds: 20, pictureMs: every(25), isKey: gop(50), sampleRateHz: 48_000 }

describe('publishers of all kinds produce playlists that follow the rules', () => {
  test.each<[string, PublisherShape, { target: number; segmentSeconds: number }]>([
    ['25 fps, a key frame every 2 s', camera, { target: 2, segmentSeconds: 2 }],
    ['groups of 0.5 s', { ...camera, isKey: gop(12) }, { target: 2, segmentSeconds: 1.92 }],
    [
      'groups of 1 s at 30 fps',
      { ...camera, pictureMs: every(30), isKey: gop(30) },
      { target: 2, segmentSeconds: 2 },
    ],
    [
      'groups of 1.5 s at 24 fps',
      { ...camera, pictureMs: every(24), isKey: gop(36) },
      { target: 2, segmentSeconds: 1.5 },
    ],
    [
      'groups of 2 s at 29.97 fps',
      { ...camera, pictureMs: every(30_000 / 1001), isKey: gop(60) },
      { target: 2, segmentSeconds: 2.002 },
    ],
    [
      'groups of 4 s at 60 fps',
      { ...camera, pictureMs: every(60), isKey: gop(240) },
      { target: 4, segmentSeconds: 4 },
    ],
    ['sound at 44.1 kHz', { ...camera, sampleRateHz: 44_100 }, { target: 2, segmentSeconds: 2 }],
    [
      'B-frames',
      { ...camera, compositionMs: (index) => [80, 160, 40, 0][index % 4]! },
      { target: 2, segmentSeconds: 2 },
    ],
    [
      '2 pictures a second',
      { ...camera, pictureMs: every(2), isKey: gop(4) },
      { target: 2, segmentSeconds: 2 },
    ],
    [
      '5 pictures a second',
      { ...camera, pictureMs: every(5), isKey: gop(10) },
      { target: 2, segmentSeconds: 2 },
    ],
  ])('%s', (_name, shape, { target, segmentSeconds }) => {
    const { rules, publish, end } = create()
    publish(shape)
    end()
    for (const kind of kinds) {
      const { last } = rules[kind]
      expect(last.targetDurationSeconds).toBe(target)
      expect(last.hasEnded).toBe(true)
      expect(last.independentSegments).toBe(true)
      expect(last.segments[0]!.durationSeconds).toBeLessThanOrEqual(segmentSeconds + 0.03)
      for (const { durationSeconds } of last.segments.slice(1, -1))
        expect(Math.abs(durationSeconds - segmentSeconds)).toBeLessThan(kind === 'audio' ? 0.025 : 0.003)
      // Audio before the first presented picture is dropped.
      const seconds = last.segments.reduce((sum, segment) => sum + segment.durationSeconds, 0)
      expect(Math.abs(seconds - 20)).toBeLessThan(0.11)
    }
    expect(rules.video.last.segments).toHaveLength(rules.audio.last.segments.length)
  })

  test('the first segment of a broadcast ends at the first key frame after a second, whatever its number', () => {
    const { rules, publish } = create({ resume: beginAt(1_700_000_000_000, 1) })
    publish({ ...camera, pictureMs: every(30), isKey: gop(30) })
    const durations = rules.video.last.segments.map(({ durationSeconds }) => durationSeconds)
    expect(durations.slice(0, 3)).toEqual([1, 2, 2])
  })

  test('a key frame every 10 s produces segments of the maximum duration with whole groups', () => {
    const { rules, publish } = create()
    publish({ ...camera, seconds: 40, isKey: gop(250) })
    expect(rules.video.last.targetDurationSeconds).toBe(10)
    expect(rules.video.last.segments.map(({ durationSeconds }) => durationSeconds)).toEqual([10, 10, 10])
  })

  test('a group longer than the first ones is split, and the playlist drops EXT-X-INDEPENDENT-SEGMENTS', () => {
    const { packager, rules, publish } = create()
    publish({ ...camera, isKey: (index) => index % 50 === 0 && (index < 150 || index > 300) })
    const { segments } = packager.rendition('video')!
    const split = segments.filter(({ isIndependent }) => !isIndependent)
    expect(split.length).toBeGreaterThan(0)
    expect(split[0]!.parts[0]!.isIndependent).toBe(false)
    expect(rules.video.last.independentSegments).toBe(false)
    expect(segments.every(({ durationSeconds }) => durationSeconds < 2.5)).toBe(true)
  })

  test('paused video becomes gaps instead of longer parts, and segments continue with the audio', () => {
    const { packager, publish, end } = create()
    publish({ ...camera, pictureMs: (index) => index * 40 + (index > 160 ? 5_000 : 0) })
    end()
    const { segments } = packager.rendition('video')!
    expect(segments.some(({ isGap }) => isGap)).toBe(true)
    expect(segments).toHaveLength(packager.rendition('audio')!.segments.length)
  })

  test('audio that stops becomes gaps without delaying the video', () => {
    const { packager, publish, end } = create()
    announce(packager, camera)
    for (const item of unitsOf(camera)) {
      if (item.kind === 'video' || item.unit.timestampMs < 6_000) send(packager, item)
    }
    const behind =
      packager.rendition('video')!.currentSegment.number - packager.rendition('audio')!.currentSegment.number
    expect(behind).toBeLessThanOrEqual(1)
    expect(packager.rendition('audio')!.segments.at(-1)!.isGap).toBe(true)
    end()
    publish(camera)
    expect(packager.rendition('audio')!.segments).toHaveLength(packager.rendition('video')!.segments.length)
  })

  test('any mix of frame rates, groups, pauses and late audio follows the rules', () => {
    const frameMs = fc.oneof(
      { weight: 40, arbitrary: fc.integer({ min: 8, max: 120 }) },
      { weight: 1, arbitrary: fc.integer({ min: 200, max: 12_000 }) },
    )
    const shapes = fc.record({
      steps: fc.array(frameMs, { minLength: 40, maxLength: 160 }),
      keyEvery: fc.integer({ min: 1, max: 60 }),
      hasAudio: fc.boolean(),
      audioFromMs: fc.integer({ min: 0, max: 6_000 }),
      partTargetSeconds: fc.constantFrom(0.2, 0.333, 0.5),
      breakAt: fc.integer({ min: 0, max: 400 }),
    })
    const isSound = fc.property(
      shapes,
      ({ steps, keyEvery, hasAudio, audioFromMs, partTargetSeconds, breakAt }) => {
        const times = steps.reduce<number[]>((all, step) => [...all, all.at(-1)! + step], [0])
        const { packager, check, end } = create({ partTargetSeconds, windowSeconds: 12 })
        const shape: PublisherShape = {
          seconds: times.at(-1)! / 1_000,
          pictureMs: (index) => times[index] ?? Infinity,
          isKey: gop(keyEvery),
          ...(hasAudio && { sampleRateHz: 48_000 }),
          audioFromMs,
        }
        announce(packager, shape)
        unitsOf(shape).forEach((item, index) => {
          if (index === breakAt) {
            packager.discontinue()
            announce(packager, shape)
          }
          send(packager, item)
          if (index % 7 === 0) check()
        })
        end()
        const [video, audio] = kinds.map((kind) => packager.rendition(kind)?.segments.at(-1)?.number)
        if (audio !== undefined) expect(audio).toBe(video)
      },
    )
    fc.assert(isSound, { numRuns: 40, endOnFailure: true })
  })
})

test('audio stays within a millisecond of the video for an hour, and no duration is lost', () => {
  const starts: Record<TrackKind, number[]> = { video: [], audio: [] }
  const { packager } = create({
    sink: { onSegment: (kind, { startTicks }) => void starts[kind].push(startTicks) },
  })
  announce(packager, camera)
  const shape: PublisherShape = {
    ...camera,
    seconds: 3_600,
    pictureMs: every(10),
    isKey: gop(20),
    pictureBytes: 1,
  }
  // The encoder's audio runs a hundredth of a percent slow.
  for (const item of unitsOf({ ...shape, audioDrift: 1.000_1 })) send(packager, item)
  packager.end()
  expect(starts.video.at(-1)).toBe(3_599 * 90_000)
  const frameSeconds = (1_024 / 48_000) * 1.000_1
  for (const startTicks of starts.audio) {
    const seconds = startTicks / 48_000 - 1
    // Publisher time of the segment's first frame.
    const meantSeconds = Math.round(seconds / frameSeconds) * frameSeconds
    expect(Math.abs(seconds - meantSeconds)).toBeLessThan(0.001)
  }
})

test('a new configuration causes a discontinuity with its own init segment', () => {
  const { packager, rules, check, publish } = create()
  publish({ ...camera, seconds: 5 })
  packager.setVideo('avc1', Buffer.concat([avcConfiguration, Buffer.from([0])]))
  for (const item of unitsOf({ ...camera, seconds: 5, startMs: 5_000 })) {
    send(packager, item)
    check()
  }
  for (const kind of kinds) {
    const { segments, initUri } = rules[kind].last
    expect(initUri).toBe('init-1.mp4')
    expect(segments.filter((segment) => segment.discontinuity).map((segment) => segment.initUri)).toEqual([
      'init-2.mp4',
    ])
  }
  const rendition = packager.rendition('video')!
  expect(rendition.formatOf(1)!.initSegment).not.toEqual(rendition.formatOf(2)!.initSegment)
})

test('a reconnecting publisher continues with the next number and the correct wall-clock time', () => {
  let now = wallMs
  const { packager, rules, publish } = create({ now: () => now })
  publish({ ...camera, seconds: 5 })
  packager.discontinue()
  now += 60_000
  publish({ ...camera, seconds: 6, startMs: 1_000_000 })
  const { segments } = rules.video.last
  expect(segments.map(({ uri }) => uri)).toEqual(['0.m4s', '1.m4s', '2.m4s', '3.m4s', '4.m4s'])
  expect(segments[0]!.programDateTime!.getTime()).toBe(wallMs)
  expect(segments[3]).toMatchObject({ discontinuity: true, initUri: 'init-2.mp4' })
  expect(segments[3]!.programDateTime!.getTime()).toBe(wallMs + 60_000)
})

test.each<[string, number]>([
  ['forward by a minute', 66_000],
  ['back to zero', 0],
])('a clock that jumps %s starts a new period', (_name, startMs) => {
  const { rules, publish } = create()
  publish({ ...camera, seconds: 6 })
  publish({ ...camera, seconds: 6, startMs })
  expect(rules.video.last.segments.filter(({ discontinuity }) => discontinuity)).toHaveLength(1)
})

test('audio on a clock far from that of the video is dropped without extra parts', () => {
  let partCount = 0
  const { packager, check } = create({ sink: { onPart: () => void partCount++ } })
  announce(packager, camera)
  for (const item of unitsOf(camera)) {
    if (item.kind === 'video') send(packager, item)
    else packager.addAudio({ ...item.unit, timestampMs: item.unit.timestampMs + 3_600_000 })
    check()
  }
  expect(packager.rendition('video')!.segments.some(({ isGap }) => isGap)).toBe(false)
  expect(packager.rendition('audio')!.segments.every(({ isGap }) => isGap)).toBe(true)
  expect(partCount).toBeLessThan(150)
})

test('a clock that jumps with each frame adds few segments per jump and is reported as trouble', () => {
  const { packager } = create()
  announce(packager, camera)
  let worst = 0
  for (let ms = 0, index = 0; index < 60; index++, ms += 600_000) {
    const before = packager.rendition('video')?.currentSegment.number ?? 0
    packager.addVideo({ decodeMs: ms, compositionMs: 0, isKeyFrame: true, data: Buffer.alloc(10) })
    packager.addAudio({ timestampMs: ms + 599_000, data: Buffer.alloc(10) })
    packager.addVideo({ decodeMs: ms + 5_000, compositionMs: 0, isKeyFrame: true, data: Buffer.alloc(10) })
    worst = Math.max(worst, (packager.rendition('video')?.currentSegment.number ?? 0) - before)
  }
  expect(worst).toBeLessThanOrEqual(4)
  expect(packager.trouble).toContain('again and again')
  packager.discontinue()
  expect(packager.trouble).toBeNull()
})

test.each([
  ['before the first part', 0],
  ['in the middle of a stream', 10],
])('constant timestamps buffer a bounded number of bytes: %s', (_name, seconds) => {
  const { packager, publish } = create()
  publish({ ...camera, seconds })
  expect(packager.trouble).toBeNull()
  const data = Buffer.alloc(2 ** 20)
  for (let index = 0; index < 200; index++)
    packager.addVideo({ decodeMs: seconds * 1_000, compositionMs: 0, isKeyFrame: index === 0, data })
  expect(packager.trouble).toContain('do not advance')
  packager.discontinue()
  const keptBytes = packager.keptBytes
  expect(keptBytes).toBeLessThan(140 * 2 ** 20)
  expect(packager.trouble).toBeNull()
})

test('a publisher that is minutes ahead of the clock is reported as trouble', () => {
  let now = wallMs
  const { packager } = create({ now: () => now })
  announce(packager, camera)
  for (const { kind, unit } of unitsOf({ ...camera, seconds: 130, pictureMs: every(2), isKey: gop(4) })) {
    if (kind === 'audio') continue
    packager.addVideo(unit)
    if (unit.decodeMs === 110_000) expect(packager.trouble).toBeNull()
  }
  expect(packager.trouble).toContain('faster')
  now += 60_000
  expect(packager.trouble).toBeNull()
})

test('pictures that are shown seconds after they are decoded keep their times', () => {
  const { packager, publish } = create()
  // One picture a second with B-frames, as x264 sends it.
  const compositionMs = (index: number) => [2_000, 4_000, 1_000, 1_000][index % 4]!
  publish({ ...camera, pictureMs: every(1), isKey: gop(4), compositionMs })
  const [first] = packager.rendition('video')!.segments
  const samples = first!.parts.map(({ data }) =>
    readMediaSegmentHead(data.subarray(0, findMoofEnd(data)), data.length),
  )
  expect(samples[0]!.decodeTimes[0]).toBeGreaterThanOrEqual(0)
  const shownAt = samples.flatMap(({ decodeTimes, compositionOffsets }) =>
    [...decodeTimes].map((time, index) => (time + compositionOffsets[index]!) / 90_000),
  )
  expect(shownAt.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4])
})

test('a sample rate of a few hertz is refused', () => {
  const { packager } = create()
  // AAC-LC in stereo with its rate in 24 bits.
  const withRate = (sampleRateHz: number) =>
    Buffer.from(
      ((2n << 35n) | (15n << 31n) | (BigInt(sampleRateHz) << 7n) | (2n << 3n)).toString(16).padStart(10, '0'),
      'hex',
    )
  for (const sampleRateHz of [1, 2, 100, 3_999])
    expect(() => packager.setAudio('mp4a', withRate(sampleRateHz))).toThrow(IsobmffError)
  for (const sampleRateHz of [4_000, 7_350, 96_000]) {
    packager.setAudio('mp4a', withRate(sampleRateHz))
    expect(describeAudio('mp4a', withRate(sampleRateHz)).timescale).toBe(sampleRateHz)
  }
})

test('Opus packets of more than 120 ms do not make segments longer than the target', () => {
  const { packager, rules, check } = create()
  packager.setAudio('Opus', Buffer.from('4f707573486561640102380180bb0000000000', 'hex'))
  for (let ms = 0; ms < 12_000; ms += 60) {
    // A frame of 60 ms, or 63 of them.
    packager.addAudio({ timestampMs: ms, data: Buffer.from(ms % 3_000 === 0 ? [27, 63] : [24, 0]) })
    check()
  }
  expect(rules.audio.last.segments.length).toBeGreaterThan(3)
})

test('Opus packets without a frame take no memory', () => {
  const { packager, publish } = create()
  publish({ seconds: 0, pictureMs: every(25) })
  packager.setAudio('Opus', Buffer.from('4f707573486561640102380180bb0000000000', 'hex'))
  packager.addVideo({ decodeMs: 0, compositionMs: 0, isKeyFrame: true, data: Buffer.alloc(10) })
  packager.addVideo({ decodeMs: 5_000, compositionMs: 0, isKeyFrame: true, data: Buffer.alloc(10) })
  const before = packager.trouble
  // A packet of code 3 that claims no frame (RFC 6716, 3.2.5). None of them moves the audio forward.
  for (let index = 0; index < 1_000; index++)
    packager.addAudio({ timestampMs: 5_000, data: Buffer.from([3, 0]) })
  packager.end()
  const parts = packager.rendition('audio')!.segments.flatMap((segment) => segment.parts)
  expect(before).toBeNull()
  expect(parts.every(({ isGap }) => isGap)).toBe(true)
})

test('frames before the first key frame are dropped', () => {
  const { packager, publish } = create()
  publish({ ...camera, isKey: (index) => index % 50 === 30 })
  const [first] = packager.rendition('video')!.segments
  expect(first).toMatchObject({ number: 0, isIndependent: true, startTicks: 90_000 })
  expect(packager.rendition('audio')!.segments[0]!.startTicks).toBe(48_000)
})

test('audio that is announced late joins at the current segment', () => {
  const { packager, check } = create()
  packager.setVideo('avc1', avcConfiguration)
  unitsOf({ ...camera, seconds: 12 }).forEach((item) => {
    const ms = item.kind === 'video' ? item.unit.decodeMs : item.unit.timestampMs
    if (ms === 6_000) packager.setAudio('mp4a', aacConfiguration(48_000))
    send(packager, item)
    check()
  })
  const [first, second] = packager.rendition('audio')!.segments
  expect(first).toMatchObject({ number: 2, isGap: true })
  expect(second).toMatchObject({ number: 3, isGap: false, isDiscontinuity: false })
})

test.each<[string, PublisherShape, number]>([
  ['sound', { seconds: 11.9, sampleRateHz: 44_100 }, 7],
  ['pictures', { seconds: 12, pictureMs: every(25), isKey: gop(50) }, 6],
])('a stream can consist of %s alone', (_name, shape, segments) => {
  const { packager, playlists, publish, end } = create()
  publish(shape)
  end()
  const kind = shape.sampleRateHz ? 'audio' : 'video'
  expect(packager.rendition(kind)!.segments).toHaveLength(segments)
  expect(playlists.multivariant()).toContain(`\n${kind}/live.m3u8\n`)
})

test.each([0.8, 3, 9.5])('sound alone that misses %s s has no segment longer than the target', (seconds) => {
  const { packager, rules, check } = create()
  const shape: PublisherShape = { seconds: 20, sampleRateHz: 48_000 }
  const isMissing = (ms: number) => ms > 5_100 && ms < 5_100 + seconds * 1_000
  announce(packager, shape)
  for (const item of unitsOf(shape)) {
    if (item.kind === 'audio' && isMissing(item.unit.timestampMs)) continue
    send(packager, item)
    check()
  }
  const { segments } = packager.rendition('audio')!
  for (const { durationSeconds } of segments) expect(Math.round(durationSeconds)).toBeLessThanOrEqual(2)
  expect(rules.audio.last.segments.length).toBe(segments.length)
})

test('the window keeps its duration and byte limits and serves removed segments for a while', () => {
  const { packager, rules, publish } = create({ windowSeconds: 10, windowBytes: 400_000 })
  publish({ ...camera, seconds: 60, pictureBytes: 1_000 })
  expect(rules.video.last.mediaSequence).toBeGreaterThan(20)
  const listed = rules.video.last.segments.reduce((sum, segment) => sum + segment.durationSeconds, 0)
  expect(listed).toBe(10)
  expect(packager.rendition('video')!.segment(rules.video.last.mediaSequence - 1)).toBeDefined()
  expect(packager.rendition('video')!.segment(0)).toBeUndefined()
  publish({ ...camera, seconds: 60, startMs: 60_000, pictureBytes: 4_000 })
  // Three target durations stay regardless of size: 8 s of 104,000 bytes, and the current segment.
  expect(packager.keptBytes).toBeLessThan(1_100_000)
  const few = rules.video.last.segments.reduce((sum, segment) => sum + segment.durationSeconds, 0)
  expect(few).toBeGreaterThanOrEqual(6)
  expect(few).toBeLessThanOrEqual(8)
})

test('the recorder receives the same bytes as viewers, in order', () => {
  const recorded: Record<TrackKind, Buffer[]> = { video: [], audio: [] }
  const sink = {
    onInit: (kind: TrackKind) => void recorded[kind].push(Buffer.from('init')),
    onPart: (kind: TrackKind, _number: number, { data }: { data: Buffer }) => void recorded[kind].push(data),
  }
  const { packager, publish, end } = create({ sink, windowSeconds: 100 })
  publish(camera)
  end()
  for (const kind of kinds) {
    const { segments } = packager.rendition(kind)!
    const served = segments.flatMap(({ parts }) => parts.map(({ data }) => data))
    const expected = Buffer.concat([Buffer.from('init'), ...served])
    expect(Buffer.concat(recorded[kind]).equals(expected)).toBe(true)
  }
})

test('frames of a publisher that leaves within a second are still served', () => {
  const { packager, rules, publish, end } = create()
  publish({ ...camera, seconds: 0.5 })
  end()
  expect(rules.video.last.segments.map(({ durationSeconds }) => durationSeconds)).toEqual([0.52])
  packager.addVideo({ decodeMs: 600, compositionMs: 0, isKeyFrame: true, data: Buffer.alloc(1) })
  expect(packager.rendition('video')!.openParts).toEqual([])
})
