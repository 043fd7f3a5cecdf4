import { readFragmentedTracks } from '@zoetrope/isobmff'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MemoryStore } from '../../test-support/memory-store.ts'
import { PlaylistRules } from '../../test-support/playlist-rules.ts'
import {
  aacConfiguration,
  announce,
  send,
  unitsOf,
  type PublishedUnit,
  type PublisherShape,
} from '../../test-support/publisher.ts'
import {
  defaultPackaging,
  LivePackager,
  LivePlaylists,
  restoreWindow,
  type LivePackagerOptions,
} from '../index.ts'

const startMs = Date.UTC(2026, 2, 1, 12)
const camera: PublisherShape = {
  seconds: 14,
  pictureMs: (index) => index * 40,
  isKey: (index) => index % 50 === 0,
  sampleRateHz: 48_000,
}

const { sampleRateHz: _none, ...silent } = camera

type Muxed = NonNullable<ReturnType<LivePackager['rendition']>>

const create = (options: Partial<LivePackagerOptions> = {}) => {
  const packager = new LivePackager({ ...defaultPackaging, now: () => startMs, ...options })
  const playlists = new LivePlaylists(packager)
  const rules = new PlaylistRules()
  const check = () => rules.check(playlists.media('av'))
  const publish = (units: readonly PublishedUnit[]) => {
    for (const unit of units) {
      send(packager, unit)
      check()
    }
  }
  return { packager, playlists, rules, check, publish, muxed: () => packager.rendition('av')! }
}

/** Returns track, time and bytes of each demuxed frame, sorted. */
const framesOf = async (rendition: Muxed, version: number, pieces: readonly Buffer[]): Promise<string[]> => {
  const bytes = [rendition.formatOf(version)!.initSegment, ...pieces]
  const frames: string[] = []
  for await (const piece of readFragmentedTracks(
    (async function* () {
      for (const part of bytes) yield await Promise.resolve(part)
    })(),
  )) {
    if (piece.type === 'init') continue
    const { samples, data, track } = piece
    for (let index = 0; index < samples.count; index++) {
      const offset = samples.offsets[index]!
      const hex = data
        .subarray(offset, offset + samples.sizes[index]!)
        .toString('hex')
        .slice(0, 8)
      frames.push(`${track.kind} ${samples.decodeTimes[index]} ${samples.compositionOffsets[index]} ${hex}`)
    }
  }
  return frames.toSorted()
}

const late = (units: readonly PublishedUnit[], ms: number): PublishedUnit[] => {
  const arrivesAt = (item: PublishedUnit) =>
    item.kind === 'video' ? item.unit.decodeMs : item.unit.timestampMs + ms
  return units.toSorted((a, b) => arrivesAt(a) - arrivesAt(b))
}

const shapes = fc.record({
  frameMs: fc.integer({ min: 15, max: 90 }),
  keyEvery: fc.integer({ min: 5, max: 90 }),
  lateMs: fc.integer({ min: -300, max: 900 }),
  isReordered: fc.boolean(),
  missingMs: fc.constantFrom(0, 0, 400, 3_000),
})

test('a segment has the same frames in parts and as a whole, however late the audio arrives', async () => {
  const property = fc.asyncProperty(shapes, async ({ frameMs, keyEvery, lateMs, isReordered, missingMs }) => {
    const shape: PublisherShape = {
      ...camera,
      seconds: 9,
      pictureMs: (index) => index * frameMs,
      isKey: (index) => index % keyEvery === 0,
      ...(isReordered && { compositionMs: (index: number) => [2, 4, 1, 0][index % 4]! * frameMs }),
    }
    const { packager, publish, muxed, check } = create()
    announce(packager, shape)
    const isMissing = ({ kind, unit }: PublishedUnit) =>
      kind === 'audio' && unit.timestampMs > 4_000 && unit.timestampMs < 4_000 + missingMs
    publish(late(unitsOf(shape), lateMs).filter((item) => !isMissing(item)))
    packager.end()
    check()
    const [video, audio] = [packager.rendition('video')!, packager.rendition('audio')!]
    expect(muxed().segments.map(({ number }) => number)).toEqual(video.segments.map(({ number }) => number))
    for (const { number, initVersion, parts, sizeBytes } of muxed().segments) {
      const ofParts = parts.flatMap(({ index }) => muxed().readPart(number, index)!)
      const whole = (await muxed().read(number))!
      expect(await framesOf(muxed(), initVersion, ofParts)).toEqual(
        await framesOf(muxed(), initVersion, whole),
      )
      expect(Buffer.concat([...whole]).length).toBe(sizeBytes)
      expect(sizeBytes).toBe(video.segment(number)!.sizeBytes + audio.segment(number)!.sizeBytes)
    }
  })
  await fc.assert(property, { numRuns: 15, endOnFailure: true })
})

test('a muxed part is available together with the video part and shares its bytes', () => {
  const { packager, publish, muxed } = create()
  announce(packager, camera)
  const video = () => packager.rendition('video')!
  let behind = 0
  for (const unit of unitsOf(camera)) {
    publish([unit])
    if (video()?.openParts.length !== muxed()?.openParts.length) behind++
  }
  // When a segment's last audio frame ends just before the cut, the muxed part waits for the next frame.
  expect(behind).toBeLessThanOrEqual(2)
  const { number } = muxed().currentSegment
  expect(muxed().readPart(number, 0)![0]).toBe(video().openParts[0]!.data)
})

test('audio that is announced late joins the muxed rendition at the next segment', () => {
  const { packager, playlists, rules, check, muxed } = create()
  announce(packager, silent)
  for (const item of unitsOf(camera)) {
    const ms = item.kind === 'video' ? item.unit.decodeMs : item.unit.timestampMs
    if (ms === 6_000) packager.setAudio('mp4a', aacConfiguration(48_000))
    if (ms < 6_000) expect(muxed()).toBeUndefined()
    send(packager, item)
    check()
    if (muxed() === undefined) expect(playlists.multivariant() ?? '').not.toContain('av/')
  }
  expect(muxed().firstKept).toBe(packager.rendition('audio')!.firstKept + 1)
  expect(muxed().segments.some(({ isGap }) => isGap)).toBe(false)
  expect(rules.last.segments.length).toBeGreaterThan(1)
  expect(playlists.multivariant()).toContain('av/live.m3u8')
})

test('the same muxed playlist continues when audio stops and when a publisher has none', () => {
  const { packager, publish, rules, muxed } = create()
  announce(packager, camera)
  publish(unitsOf(camera).filter(({ kind, unit }) => kind === 'video' || unit.timestampMs < 6_000))
  const video = () => packager.rendition('video')!
  expect(video().currentSegment.number - muxed().currentSegment.number).toBeLessThanOrEqual(1)
  packager.discontinue()
  announce(packager, silent)
  publish(unitsOf({ ...silent, startMs: 100_000 }))
  expect(rules.last.segments.filter(({ discontinuity }) => discontinuity)).toHaveLength(1)
  expect(rules.last.segments.some(({ isGap }) => isGap)).toBe(false)
  expect(video().currentSegment.number - muxed().currentSegment.number).toBeLessThanOrEqual(1)
})

test('muxed parts stay available as long as the video parts', () => {
  const { packager, publish, muxed } = create()
  const shape = { ...camera, seconds: 60 }
  announce(packager, shape)
  publish(unitsOf(shape))
  const { firstKept } = packager.rendition('video')!
  expect(firstKept).toBeGreaterThan(0)
  expect(muxed().firstKept).toBe(firstKept)
  expect(muxed().readPart(firstKept, 5)).toHaveLength(2)
})

test('old muxed segments are read from the store of the other renditions and not stored twice', async () => {
  const store = new MemoryStore()
  const { packager, publish, muxed } = create({ store, windowSeconds: 600 })
  const shape = { ...camera, seconds: 60 }
  announce(packager, shape)
  publish(unitsOf(shape))
  const [video, audio] = [packager.rendition('video')!, packager.rendition('audio')!]
  expect(muxed().segments).toHaveLength(video.segments.length)
  expect(muxed().isInMemory(2)).toBe(false)
  expect(muxed().segment(2)!.parts).toEqual([])
  const both = [...(await video.read(2))!, ...(await audio.read(2))!]
  expect(Buffer.concat([...(await muxed().read(2))!]).equals(Buffer.concat(both))).toBe(true)
  expect(store.left().segments.some(({ track }) => track === 'av')).toBe(false)
})

test('another process restores the muxed window and keeps its names', async () => {
  const store = new MemoryStore()
  const first = create({ store, windowSeconds: 600 })
  announce(first.packager, camera)
  first.publish(unitsOf(camera))
  const known = first.rules.last
  const next = create({ store, windowSeconds: 600, resume: restoreWindow(store.left(), 2)! })
  next.rules.check(first.playlists.media('av'))
  next.check()
  expect(next.playlists.multivariant()).toContain('av/live.m3u8')
  expect(await next.muxed().read(3)).toBeDefined()
  announce(next.packager, camera)
  next.publish(unitsOf({ ...camera, startMs: 500_000 }))
  const { segments, mediaSequence } = next.rules.last
  expect(mediaSequence).toBe(known.mediaSequence)
  expect(segments.slice(0, known.segments.length).map(({ uri }) => uri)).toEqual(
    known.segments.map(({ uri }) => uri),
  )
  expect(segments.filter(({ discontinuity }) => discontinuity)).toHaveLength(1)
  const { segments: ofVideo } = next.packager.rendition('video')!
  const own = ofVideo.findIndex(({ epoch }) => epoch === 2)
  expect(segments.map(({ uri }) => uri)).toEqual(
    ofVideo.map(({ number }, index) => (index < own ? `${number}.m4s` : `${number}-2.m4s`)),
  )
})
