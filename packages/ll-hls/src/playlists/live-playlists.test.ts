import { parseMediaPlaylist, parseMultivariantPlaylist } from '@zoetrope/hls'
import { M3U8Parser } from 'hls.js'
import { expect, test } from 'vitest'
import { announce, send, unitsOf, type PublisherShape } from '../../test-support/publisher.ts'
import { answerReload } from './answer-reload.ts'
import { defaultPackaging, LivePackager, LivePlaylists } from '../index.ts'

const camera: PublisherShape = {
  seconds: 33.5,
  pictureMs: (index) => (index * 1_001) / 30,
  isKey: (index) => index % 60 === 0,
  sampleRateHz: 48_000,
  pictureBytes: 2_000,
}

const stream = (shape: PublisherShape) => {
  const packager = new LivePackager({ ...defaultPackaging, now: () => Date.UTC(2026, 2, 1, 12) })
  announce(packager, shape)
  unitsOf(shape).forEach((item) => send(packager, item))
  return { packager, playlists: new LivePlaylists(packager) }
}

test('playlists are unavailable until the first frames have been measured', () => {
  const { playlists } = stream({ ...camera, seconds: 1.5 })
  expect(playlists.multivariant()).toBeUndefined()
  expect(playlists.media('video')).toBeUndefined()
  expect(playlists.answerReload('video', { number: 0 })).toMatchObject({ type: 'refuse' })
})

const measured = {
  bandwidthBitsPerSecond: expect.closeTo(498_000, -4) as number,
  averageBandwidthBitsPerSecond: expect.closeTo(498_000, -4) as number,
  codecs: ['avc1.42c00c', 'mp4a.40.2'],
  resolution: { widthPixels: 320, heightPixels: 180 },
  frameRate: 29.97,
}
const sound = {
  type: 'AUDIO',
  groupId: 'audio',
  name: 'Audio',
  isDefault: true,
  isAutoselect: true,
  channels: 2,
}

test('the multivariant playlist contains the measured rates and lists muxed media for low latency', () => {
  const { playlists } = stream(camera)
  expect(parseMultivariantPlaylist(playlists.multivariant()!)).toMatchObject({
    renditions: [],
    variants: [{ ...measured, uri: 'av/live.m3u8' }],
  })
  expect(parseMultivariantPlaylist(playlists.multivariant({ isLowLatency: false })!)).toMatchObject({
    renditions: [{ ...sound, uri: 'audio/standard.m3u8' }],
    variants: [{ ...measured, uri: 'video/standard.m3u8', audioGroupId: 'audio' }],
  })
})

test('the multivariant playlist lists video and audio separately when lower rungs are encoded', () => {
  const { packager, playlists } = stream(camera)
  packager.ladder.expect('v180')
  expect(parseMultivariantPlaylist(playlists.multivariant()!)).toMatchObject({
    renditions: [{ ...sound, uri: 'audio/live.m3u8' }],
    variants: [{ ...measured, uri: 'video/live.m3u8', audioGroupId: 'audio' }],
  })
  expect(playlists.media('av')).toContain('#EXT-X-PART:')
  packager.ladder.rest('v180')
  expect(playlists.multivariant()).toContain('av/live.m3u8')
})

test('the media playlist lists parts for the last three target durations and reports the other rendition', () => {
  const { playlists } = stream(camera)
  const playlist = parseMediaPlaylist(playlists.media('video')!)
  expect(playlist.segments.filter(({ parts }) => parts).map(({ uri }) => uri)).toEqual([
    '13.m4s',
    '14.m4s',
    '15.m4s',
  ])
  expect(playlist.serverControl).toEqual({
    canBlockReload: true,
    canSkipUntilSeconds: 12,
    holdBackSeconds: 6,
    partHoldBackSeconds: 1.002,
  })
  expect(playlist.segments[13]!.parts![0]!.isIndependent).toBe(true)
  expect(playlist.segments[13]!.parts![1]!.isIndependent).toBeUndefined()
  expect(playlist.renditionReports).toEqual([
    { uri: '../audio/live.m3u8', lastMediaSequence: 16, lastPart: expect.any(Number) as number },
  ])
})

test('hls.js merges a delta update with the previous playlist', () => {
  const { playlists } = stream(camera)
  const parse = (text: string) =>
    M3U8Parser.parseLevelPlaylist(
      text,
      'http://localhost/v/',
      0,
      // hls.js declares this enum but does not export it at run time.
      // oxlint-disable-next-line typescript/no-unsafe-enum-assignment
      'main' as Parameters<typeof M3U8Parser.parseLevelPlaylist>[3],
      0,
      null,
    )
  const whole = parse(playlists.media('video')!)
  const delta = parse(playlists.media('video', { isDelta: true })!)
  expect(whole.playlistParsingError).toBeNull()
  expect(delta.skippedSegments).toBeGreaterThan(5)
  expect(delta.endSN).toBe(whole.endSN)
  expect(delta.fragments.slice(delta.skippedSegments).map(({ relurl }) => relurl)).toEqual(
    whole.fragments.slice(delta.skippedSegments).map(({ relurl }) => relurl),
  )
  expect(whole.partList!.map(({ relurl }) => relurl)).toEqual(delta.partList!.map(({ relurl }) => relurl))
  expect(whole).toMatchObject({ canBlockReload: true, canSkipUntil: 12, partHoldBack: 1.002, holdBack: 6 })
})

test('a playlist is rendered once per state', () => {
  const { packager, playlists } = stream(camera)
  const text = playlists.media('video')
  expect(playlists.media('video')).toBe(text)
  packager.end()
  expect(playlists.media('video')).not.toBe(text)
  expect(playlists.media('video')).toMatch(/#EXT-X-ENDLIST\n$/)
  expect(playlists.media('video')).not.toContain('EXT-X-PART')
  expect(playlists.answerReload('video', { number: 99 })).toEqual({ type: 'ready' })
})

const parts = (count: number) => Array.from<never>({ length: count })
const state = {
  segments: [{ parts: parts(6) }, { parts: parts(6) }] as never[],
  openParts: parts(2),
  currentSegment: { number: 7, epoch: 0, isDiscontinuity: false, discontinuitySequence: 0, initVersion: 1 },
}

test.each<[number, number | undefined, string]>([
  [0, undefined, 'ready'],
  [6, undefined, 'ready'],
  [6, 5, 'ready'],
  [6, 6, 'ready'],
  [7, 0, 'ready'],
  [7, 1, 'ready'],
  [7, 2, 'wait'],
  [7, 11, 'wait'],
  [7, 12, 'refuse'],
  [7, undefined, 'wait'],
  [8, 0, 'wait'],
  [8, undefined, 'wait'],
  [8, 10, 'refuse'],
  [9, undefined, 'refuse'],
  [9, 0, 'refuse'],
  [Number.MAX_SAFE_INTEGER, 0, 'refuse'],
])(
  'with two parts of segment 7, a request for segment %i and part %s is answered with %s',
  (number, part, answer) => {
    const request = { number, ...(part !== undefined && { part }) }
    expect(answerReload(state, request, { partTargetSeconds: 0.333, hasEnded: false }).type).toBe(answer)
  },
)

test('a part index past the end of its segment refers to the first part of the next one', () => {
  const between = { ...state, openParts: [] }
  const answer = answerReload(between, { number: 6, part: 6 }, { partTargetSeconds: 0.333, hasEnded: false })
  expect(answer.type).toBe('wait')
})

test('the DASH manifest lists the same segments with one Period for each period', () => {
  const { packager, playlists } = stream({ ...camera, seconds: 7 })
  packager.discontinue()
  announce(packager, camera)
  unitsOf({ ...camera, seconds: 5, startMs: 100_000 }).forEach((item) => send(packager, item))
  const manifest = playlists.manifest()!
  expect(playlists.manifest()).toBe(manifest)
  expect(manifest).toContain('type="dynamic"')
  expect(manifest).toContain('availabilityStartTime="2026-03-01T12:00:00.000Z"')
  expect(manifest).toContain('timeShiftBufferDepth="PT30S"')
  expect(manifest.match(/<Period /g)).toHaveLength(2)
  expect(manifest).toContain('initialization="video/init-2.mp4"')
  const times = [...manifest.matchAll(/<S t="(\d+)" d="(\d+)"( r="\d+")?\/>/g)]
  expect(times[0]!.slice(1, 3)).toEqual(['90000', '180180'])
  expect(manifest.match(/frameRate="[^"]*"/g)).toEqual(['frameRate="30000/1001"', 'frameRate="30000/1001"'])
  expect(manifest).toContain('<UTCTiming schemeIdUri="urn:mpeg:dash:utc:http-iso:2014" value="time"/>')

  packager.end()
  const ended = playlists.manifest()!
  expect(ended).toContain('type="static"')
  expect(ended).toMatch(/mediaPresentationDuration="PT7(\.\d+)?S"/)
  expect(ended).not.toMatch(/minimumUpdatePeriod|timeShiftBufferDepth|UTCTiming/)
  expect(ended.match(/<Period id="\d" start="[^"]*"/g)).toEqual(
    manifest.match(/<Period id="\d" start="[^"]*"/g),
  )
})
