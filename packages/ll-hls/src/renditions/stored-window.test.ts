import { parseMediaPlaylist, writeMediaPlaylist } from '@zoetrope/hls'
import { expect, test } from 'vitest'
import { MemoryStore } from '../../test-support/memory-store.ts'
import { PlaylistRules } from '../../test-support/playlist-rules.ts'
import {
  announce,
  avcConfiguration,
  send,
  unitsOf,
  type PublisherShape,
} from '../../test-support/publisher.ts'
import {
  defaultPackaging,
  LivePackager,
  LivePlaylists,
  beginAt,
  restoreWindow,
  resumeAfter,
  type LivePackagerOptions,
} from '../index.ts'
import { segmentEntry } from '../playlists/segment-lines.ts'
import { describeVideo } from '../media/track-format.ts'

const kinds = ['video', 'audio'] as const
const startMs = Date.UTC(2026, 2, 1, 12)

/** A publisher of any duration with ten pictures per second. */
const camera: PublisherShape = {
  seconds: 60,
  pictureMs: (index) => index * 100,
  isKey: (index) => index % 20 === 0,
  sampleRateHz: 48_000,
  pictureBytes: 1_000,
}

const create = (options: Partial<LivePackagerOptions>) => {
  const packager = new LivePackager({ ...defaultPackaging, now: () => startMs, ...options })
  const playlists = new LivePlaylists(packager)
  const publish = (shape: PublisherShape, look: () => void = () => {}) => {
    announce(packager, shape)
    for (const item of unitsOf(shape)) {
      send(packager, item)
      look()
    }
  }
  return { packager, playlists, publish }
}

const numbersOf = (packager: LivePackager, kind: (typeof kinds)[number]) =>
  packager.rendition(kind)!.segments.map(({ number }) => number)

test('old segments move from memory to the store and are read from there', async () => {
  const made = new Map<number, Buffer>()
  const { packager, publish } = create({
    windowSeconds: 600,
    windowBytes: 1_000_000,
    store: new MemoryStore(),
    sink: {
      onSegment: (kind, { number, parts }) =>
        void (kind === 'video' && made.set(number, Buffer.concat(parts.map(({ data }) => data)))),
    },
  })
  publish({ ...camera, seconds: 300 })
  const rendition = packager.rendition('video')!
  expect(rendition.segments).toHaveLength(149)
  // Four target durations that are also available as audio, and the current segment.
  expect(packager.keptBytes).toBeLessThan(160_000)
  for (const number of [0, 80, 143, 148]) {
    const pieces = await rendition.read(number)!
    expect(Buffer.concat(pieces).equals(made.get(number)!)).toBe(true)
  }
  expect(rendition.read(149)).toBeUndefined()
})

test('a restored window begins no earlier than before, even when the store has more', () => {
  const store = new MemoryStore()
  const before = create({ windowSeconds: 60, store })
  before.publish({ ...camera, seconds: 100 })
  const resume = restoreWindow(store.left(), 2)!
  const after = create({ windowSeconds: 60, store: new MemoryStore(), resume })
  for (const track of ['video', 'audio', 'av'] as const) {
    const [was, is] = [before, after].map(({ playlists }) => parseMediaPlaylist(playlists.media(track)!))
    expect(was!.mediaSequence).toBeGreaterThan(10)
    expect(is!.mediaSequence).toBeGreaterThanOrEqual(was!.mediaSequence)
    expect(is!.mediaSequence).toBeLessThan(was!.mediaSequence + 5)
  }
})

test('a resumed broadcast offers the same playlists from its first picture on', () => {
  const targets = { targetDurationSeconds: 2, partTargetSeconds: 0.3 }
  const { playlists, publish } = create({ resume: { ...resumeAfter(startMs - 60_000, startMs, 2), targets } })
  const offered = new Set<string | undefined>()
  publish({ ...camera, seconds: 4 }, () =>
    offered.add(/^\w+(?=\/)/m.exec(playlists.multivariant() ?? '')?.[0]),
  )
  expect([...offered].filter((uri) => uri !== undefined)).toEqual(['av'])
})

test('the window shrinks to the memory limit while the store fails and grows again afterwards', () => {
  const store = new MemoryStore()
  const { packager, publish } = create({ windowSeconds: 600, windowBytes: 400_000, store })
  publish({ ...camera, seconds: 120 })
  store.isFailing = true
  publish({ ...camera, seconds: 120, startMs: 120_000 })
  expect(packager.keptBytes).toBeLessThan(500_000)
  expect(packager.rendition('video')!.segments.length).toBeLessThan(21)
  store.isFailing = false
  publish({ ...camera, seconds: 120, startMs: 240_000 })
  expect(packager.rendition('video')!.segments.length).toBeGreaterThan(50)
})

test('a stream too heavy for memory keeps stored segments regardless of the size of new ones', () => {
  const { packager, publish } = create({ windowSeconds: 600, windowBytes: 10_000, store: new MemoryStore() })
  publish({ ...camera, seconds: 120 })
  expect(packager.rendition('video')!.segments).toHaveLength(59)
  // Three target durations that are also available as audio, and the current segment.
  expect(packager.keptBytes).toBeLessThan(140_000)
})

test('playlists omit segments that the store dropped', () => {
  const store = new MemoryStore()
  const { packager, publish } = create({ windowSeconds: 600, store })
  publish(camera)
  store.shorten(20)
  publish({ ...camera, seconds: 4, startMs: 60_000 })
  for (const kind of kinds) expect(numbersOf(packager, kind)[0]).toBe(20)
  store.shorten(1_000)
  publish({ ...camera, seconds: 4, startMs: 64_000 })
  expect(numbersOf(packager, 'video').length).toBeGreaterThanOrEqual(3)
})

test('a long playlist is identical with and without cached lines', () => {
  const { packager, playlists, publish } = create({ windowSeconds: 200, store: new MemoryStore() })
  for (let round = 0; round < 6; round++) {
    packager.discontinue()
    publish({ ...camera, seconds: 33 + 7 * round, startMs: round * 1_000_000 }, () => {
      playlists.media('video')
    })
    const { segments } = packager.rendition('video')!
    const expected = writeMediaPlaylist({
      ...parseMediaPlaylist(playlists.media('video', { isLowLatency: false })!),
      segments: segments.map((segment) => segmentEntry(segment, packager.rendition('video')!)),
    })
    // A cached block repeats its init segment even when the head of the playlist has just named it.
    const plain = (text: string) =>
      parseMediaPlaylist(text).segments.map((segment) => ({ ...segment, initUri: undefined }))
    for (const isLowLatency of [true, false]) {
      const text = playlists.media('video', { isLowLatency })!
      expect(text).toBe(new LivePlaylists(packager).media('video', { isLowLatency }))
      if (!isLowLatency) expect(plain(text)).toEqual(plain(expected))
    }
  }
})

test('standard HLS players get whole segments and stay three target durations behind', () => {
  const { packager, playlists, publish } = create({})
  const rules = new PlaylistRules()
  const texts = new Set<string>()
  publish(camera, () => {
    const text = playlists.media('video', { isLowLatency: false })
    if (text !== undefined) texts.add(text)
  })
  // The playlist changes per segment, not per part.
  expect(texts.size).toBe(packager.rendition('video')!.currentSegment.number)
  const playlist = parseMediaPlaylist([...texts].at(-1)!)
  expect(playlist.serverControl).toEqual({
    canBlockReload: true,
    canSkipUntilSeconds: 12,
    holdBackSeconds: 6,
  })
  expect([...texts].join('')).not.toMatch(/EXT-X-PART|PRELOAD|LAST-PART|PART-HOLD-BACK/)
  expect(playlist.renditionReports).toEqual([{ uri: '../audio/standard.m3u8', lastMediaSequence: 28 }])
  expect(playlists.multivariant({ isLowLatency: false })).toMatch(
    /URI="audio\/standard\.m3u8"[^]*\nvideo\/standard\.m3u8\n/,
  )
  packager.end()
  rules.check(playlists.media('video', { isLowLatency: false }))
  expect(rules.last.hasEnded).toBe(true)
})

/** Continues in another process, two minutes after the start. */
const resumePackager = (store: MemoryStore, options: Partial<LivePackagerOptions>) =>
  create({ windowSeconds: 600, now: () => startMs + 120_000, store, ...options })

test('another process restores the window and reuses no number, discontinuity or init segment', async () => {
  const store = new MemoryStore()
  const first = create({ windowSeconds: 600, store })
  first.publish({ ...camera, seconds: 20 })
  first.packager.discontinue()
  first.publish({ ...camera, seconds: 20, startMs: 1_000_000 })
  const left = store.left(({ track, segment }) => track === 'video' || segment.number < 17)
  const { packager, playlists, publish } = resumePackager(store, { resume: restoreWindow(left, 2)! })

  // Viewers behind the live edge need no publisher.
  const rules = { video: new PlaylistRules(), audio: new PlaylistRules() }
  const check = () => kinds.forEach((kind) => rules[kind].check(playlists.media(kind)))
  // Lost audio segments are gaps now.
  rules.video.check(first.playlists.media('video'))
  expect(await packager.rendition('video')!.read(3)).toEqual(await first.packager.rendition('video')!.read(3))
  publish({ ...camera, seconds: 20, startMs: 5_000 }, check)

  const known = first.packager.rendition('video')!
  for (const kind of kinds) {
    const { segments, discontinuitySequence } = packager.rendition(kind)!
    expect(discontinuitySequence).toBe(0)
    const breaks = segments.filter(({ isDiscontinuity }) => isDiscontinuity)
    expect(breaks.map(({ initVersion, discontinuitySequence: sequence }) => [initVersion, sequence])).toEqual(
      [
        [2, 1],
        [4, 2],
      ],
    )
    expect(breaks[1]!.number).toBe(known.currentSegment.number + 2)
    expect(breaks[1]!.startedAtMs).toBeCloseTo(startMs + 120_000)
    expect(segments.filter(({ isGap }) => isGap).map(({ number }) => number)).toEqual(
      kind === 'video' ? [19, 20] : [17, 18, 19, 20],
    )
    expect(segments[0]!.number).toBe(0)
    expect(rules[kind].last.targetDurationSeconds).toBe(2)
  }
  const manifest = playlists.manifest()!
  expect(manifest).toContain('availabilityStartTime="2026-03-01T12:00:00.000Z"')
  expect(manifest.match(/<Period id="[^"]*"/g)).toEqual(['1', '2', '4-2'].map((id) => `<Period id="${id}"`))
  expect(manifest).toContain('<Period id="4-2" start="PT120S">')
})

test('rungs use the same store and resume together with their source', async () => {
  const format = describeVideo('avc1', avcConfiguration)
  const store = new MemoryStore()
  const encode = (packager: LivePackager, shape: PublisherShape) => {
    let rung: ReturnType<typeof packager.ladder.expect> | undefined
    announce(packager, shape)
    for (const item of unitsOf(shape)) {
      send(packager, item)
      const { period } = packager.ladder
      if (item.kind === 'audio' || period === undefined) continue
      if (rung === undefined) {
        rung = packager.ladder.expect('v180')
        rung.begin(format)
      }
      const ticks = period.startTicks + (item.unit.decodeMs - period.originMs) * 90
      rung.add({ ...period, ticks, isKeyFrame: item.unit.isKeyFrame, data: item.unit.data.subarray(0, 10) })
    }
  }
  const first = create({ windowSeconds: 600, store })
  encode(first.packager, { ...camera, seconds: 60 })
  const rung = first.packager.rendition('v180')!
  // The rung began after the first segments of its source.
  expect(rung.firstKept).toBeGreaterThan(0)
  expect(rung.segment(rung.firstKept)!.parts).toEqual([])
  const bytes = await rung.read(10)
  // Twenty pictures of ten bytes instead of a thousand.
  expect(Buffer.concat(bytes!).length).toBeLessThan(2_000)

  const { packager, playlists } = resumePackager(store, { resume: restoreWindow(store.left(), 2)! })
  expect(await packager.rendition('v180')!.read(10)).toEqual(bytes)
  expect(playlists.multivariant()).toContain('v180/live.m3u8')
  encode(packager, { ...camera, seconds: 20 })
  const [source, lower] = (['video', 'v180'] as const).map((track) => packager.rendition(track)!)
  const versions = (rendition: typeof source) =>
    rendition!.segments
      .filter(({ isDiscontinuity }) => isDiscontinuity)
      .map(({ number, discontinuitySequence }) => [number, discontinuitySequence])
  expect(versions(lower)).toEqual(versions(source))
  expect(lower!.segments.at(-1)).toMatchObject({ isGap: false, initVersion: 3 })
})

test('audio that lost its discontinuity still counts it', () => {
  const store = new MemoryStore()
  const first = create({ windowSeconds: 600, store })
  first.publish({ ...camera, seconds: 20 })
  first.packager.discontinue()
  first.publish({ ...camera, seconds: 4, startMs: 1_000_000 })
  const left = store.left(({ track, segment }) => track === 'video' || segment.discontinuitySequence === 0)
  const { packager, publish } = resumePackager(store, { resume: restoreWindow(left, 2)! })
  publish({ ...camera, seconds: 6 })
  for (const kind of kinds) {
    const counts = packager.rendition(kind)!.segments.map((segment) => segment.discontinuitySequence)
    expect([...new Set(counts)]).toEqual([0, 1, 2])
  }
})

test('a discontinuity whose first segment was lost becomes that of its gap', () => {
  const store = new MemoryStore()
  const first = create({ windowSeconds: 600, store })
  first.publish({ ...camera, seconds: 20 })
  first.packager.discontinue()
  first.publish({ ...camera, seconds: 20, startMs: 1_000_000 })
  const known = first.packager.rendition('video')!.segments
  const lost = known.find(({ isDiscontinuity }) => isDiscontinuity)!.number
  const left = store.left(({ segment }) => segment.number !== lost)
  const { packager, playlists } = resumePackager(store, { resume: restoreWindow(left, 2)! })
  for (const kind of kinds) {
    const { segments } = packager.rendition(kind)!
    expect(segments.filter(({ isDiscontinuity }) => isDiscontinuity)).toMatchObject([
      { number: lost, isGap: true, discontinuitySequence: 1, initVersion: 2 },
    ])
    const tags = playlists.media(kind)!.match(/^#EXT-X-(DISCONTINUITY|MAP)/gm)
    expect(tags).toEqual(['#EXT-X-MAP', '#EXT-X-DISCONTINUITY', '#EXT-X-MAP'])
  }
})

test('a restored window without bytes lists its newest half minute as gaps', () => {
  const store = new MemoryStore()
  const before = create({ store, windowSeconds: 600 })
  before.publish(camera)
  const { periods, segments } = store.left()
  const withoutBytes = segments.map((item) => ({ ...item, hasBytes: false }))
  const resume = restoreWindow({ periods, segments: withoutBytes }, 2)!
  const { packager, publish } = resumePackager(store, { resume })
  for (const kind of kinds) {
    const known = before.packager.rendition(kind)!.segments.slice(-15)
    const { segments: listed } = packager.rendition(kind)!
    expect(listed).toMatchObject([
      ...known.map(({ number, startedAtMs, durationTicks }) => ({
        number,
        startedAtMs,
        durationTicks,
        isGap: true,
      })),
      { isGap: true },
      { isGap: true },
    ])
  }
  publish({ ...camera, seconds: 6 })
  expect(packager.rendition('video')!.segments.find(({ isGap }) => !isGap)).toMatchObject({
    number: resume.firstNumber,
    isDiscontinuity: true,
    discontinuitySequence: 1,
    initVersion: 3,
  })
  expect(packager.rendition('video')!.discontinuitySequence).toBe(0)
  expect(resume.firstNumber).toBe(31)
})

test('a delta update after a takeover leaves out no segment that players may not know', () => {
  const store = new MemoryStore()
  const before = create({ windowSeconds: 600, store })
  before.publish(camera)
  const known = numbersOf(before.packager, 'video').at(-1)!
  const resume = restoreWindow(store.left(), startMs + 60_000, startMs + 80_000)!
  const { playlists, publish } = resumePackager(store, { resume })
  const firstListed = () => {
    const text = playlists.media('video', { isDelta: true })!
    const [, sequence] = /MEDIA-SEQUENCE:(\d+)/.exec(text)!
    return Number(sequence) + Number(/SKIPPED-SEGMENTS=(\d+)/.exec(text)?.[1] ?? 0)
  }
  publish({ ...camera, seconds: 6 })
  expect(firstListed()).toBeLessThanOrEqual(known - 5)
  publish({ ...camera, seconds: 20, startMs: 6_000 })
  expect(firstListed()).toBeGreaterThan(known + 10)
})

test('without stored state, numbers continue after all that can have been used', () => {
  const first = beginAt(startMs, 1)
  const { packager, publish } = create({ resume: resumeAfter(startMs, startMs + 60_000, 2) })
  publish({ ...camera, seconds: 6 })
  for (const kind of kinds)
    expect(packager.rendition(kind)!.segments[0]).toMatchObject({
      number: first.firstNumber + 62,
      initVersion: first.periodCount + 62,
      isDiscontinuity: true,
    })
  expect(restoreWindow({ periods: [], segments: [] }, 2)).toBeNull()
})
