import { parseMediaPlaylist, parseMultivariantPlaylist, type ParsedMediaPlaylist } from '@zoetrope/hls'
import { expect, test } from 'vitest'
import { planPlaylistStream, type LayoutRendition, type PlayableElement } from './playlist-layout.ts'
import { playlistMediaPlaylist, type PlaylistTrack, type TimedSegments } from './playlist-media.ts'
import { playlistMultivariant } from './playlist-multivariant.ts'

let nextId = 1

const rendition = (kind: 'video' | 'audio', facts: Partial<LayoutRendition> = {}): LayoutRendition => ({
  id: nextId++,
  kind,
  state: 'complete',
  delivery: 'packaged',
  codec: kind === 'video' ? 'avc1.64001f' : 'mp4a.40.2',
  width_pixels: kind === 'video' ? 1280 : null,
  height_pixels: kind === 'video' ? 720 : null,
  frame_rate: kind === 'video' ? 25 : null,
  channels: kind === 'audio' ? 2 : null,
  sample_rate_hz: kind === 'audio' ? 48_000 : null,
  peak_bits_per_second: 1_000,
  average_bits_per_second: 500,
  has_closed_captions: null,
  ...facts,
})

const sized = (height: number, facts: Partial<LayoutRendition> = {}) =>
  rendition('video', {
    height_pixels: height,
    width_pixels: Math.round((height * 16) / 9),
    peak_bits_per_second: height * 1_000,
    ...facts,
  })

const element = (name: string, ...renditions: LayoutRendition[]): PlayableElement => ({
  playoutId: name,
  title: name,
  pictureId: null,
  allowedDomains: [],
  lengthSeconds: 10,
  renditions,
})

const plan = (...elements: PlayableElement[]) => planPlaylistStream(elements, { isPreview: false })

const timed = (startSeconds: number, ...durations: number[]): TimedSegments => {
  const timescale = 48_000
  let at = startSeconds
  return {
    timescale,
    segments: durations.map((seconds) => {
      const start = at
      at += seconds
      return [Math.round(start * timescale), Math.round(seconds * timescale)] as const
    }),
  }
}

const render = (
  stream: ReturnType<typeof plan>,
  track: PlaylistTrack,
  segments: ReadonlyMap<number, TimedSegments>,
): ParsedMediaPlaylist =>
  parseMediaPlaylist(
    playlistMediaPlaylist(stream.layout, track, {
      segmentsOf: (id) => segments.get(id),
      elementBase: (playoutId) => `${playoutId}/`,
      fillerBase: 'fill/',
    }),
  )

const sound: PlaylistTrack = { kind: 'audio' }
const pictures: PlaylistTrack = { kind: 'video', variant: 0 }

const totalOf = ({ segments }: ParsedMediaPlaylist): number =>
  segments.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0)

const partsOf = ({ segments }: ParsedMediaPlaylist): number[] => {
  const parts: number[] = []
  for (const { discontinuity = false, durationSeconds } of segments) {
    if (parts.length === 0 || discontinuity) parts.push(0)
    parts[parts.length - 1] = (parts.at(-1) ?? 0) + durationSeconds
  }
  return parts.map((seconds) => Math.round(seconds * 1_000) / 1_000)
}

const variantsOf = (stream: ReturnType<typeof plan>) =>
  parseMultivariantPlaylist(playlistMultivariant(stream, (track) => `list/x/${track}.m3u8`))

test('planPlaylistStream has a variant for each rung of any element, with the largest rendition that fits', () => {
  const [low, high, only] = [sized(360), sized(1080), sized(720)]
  const { variants } = plan(element('a', low, high), element('b', only))
  expect(variants.map(({ videos }) => videos.map((one) => one?.id))).toEqual([
    [low.id, only.id],
    [high.id, only.id],
  ])
})

test('planPlaylistStream puts the largest variant up to 720 lines first', () => {
  const stream = plan(element('a', sized(360), sized(720), sized(1080), sized(480)))
  expect(variantsOf(stream).variants.map(({ resolution }) => resolution?.heightPixels)).toEqual([
    720, 1080, 480, 360,
  ])
})

test('planPlaylistStream measures portrait videos by width and rounds odd sizes to the nearest rung', () => {
  const portrait = rendition('video', { width_pixels: 720, height_pixels: 1280 })
  const odd = rendition('video', { width_pixels: 1916, height_pixels: 1076 })
  const stream = plan(element('a', portrait, sized(1080)), element('b', odd))
  expect(stream.variants.map(({ videos }) => videos[0]?.id)).toContain(portrait.id)
  expect(stream.variants).toHaveLength(2)
})

test('playlistMultivariant declares attributes that cover every element', () => {
  const big = sized(720, { codec: 'avc1.4d4028', peak_bits_per_second: 3_000_000, frame_rate: 50 })
  const small = sized(360, { codec: 'avc1.64001e' })
  const audio = rendition('audio', { peak_bits_per_second: 128_000, average_bits_per_second: 96_000 })
  const [variant] = variantsOf(plan(element('a', small, audio), element('b', big))).variants
  expect(variant).toMatchObject({
    bandwidthBitsPerSecond: 3_128_000,
    codecs: ['avc1.640028', 'mp4a.40.2'],
    resolution: { widthPixels: 1280, heightPixels: 720 },
    frameRate: 50,
    audioGroupId: 'audio',
  })
})

test('playlistMultivariant has no audio group without audio and one audio-only variant without video', () => {
  const mute = variantsOf(plan(element('a', sized(360)), element('b', sized(360))))
  expect(mute.renditions).toEqual([])
  expect(mute.variants).toMatchObject([{ codecs: ['avc1.64001f'] }])
  const audioOnly = variantsOf(plan(element('a', rendition('audio')), element('b', rendition('audio'))))
  expect(audioOnly).toMatchObject({
    renditions: [],
    variants: [{ uri: 'list/x/audio.m3u8', codecs: ['mp4a.40.2'] }],
  })
})

test('planPlaylistStream skips elements without a complete rendition and those beyond one day', () => {
  const long = { lengthSeconds: 50_000 }
  const stream = plan(
    element('none'),
    { ...element('a', sized(360)), ...long },
    { ...element('b', sized(360)), ...long },
    element('c', sized(360)),
  )
  expect(stream.elements.map(({ playoutId }) => playoutId)).toEqual(['a'])
})

test('playlistMediaPlaylist has discontinuities at the same places in every track', () => {
  const [v1, a1, v2, a2] = [sized(360), rendition('audio'), sized(720), rendition('audio')]
  const stream = plan(element('a', v1, a1), element('b', v2, a2), element('a', v1, a1))
  const segments = new Map([
    [v1.id, timed(1, 4, 4, 2)],
    [a1.id, timed(1, 5, 5)],
    [v2.id, timed(1, 6, 1.5)],
    [a2.id, timed(1, 7.5)],
  ])
  for (const track of [pictures, sound])
    expect(partsOf(render(stream, track, segments))).toEqual([10, 7.5, 10])
  expect(render(stream, pictures, segments).segments.map(({ uri }) => uri)).toEqual([
    ...[0, 1, 2].map((index) => `a/${v1.id}/aligned/${index}.m4s`),
    ...[0, 1].map((index) => `b/${v2.id}/aligned/${index}.m4s`),
    ...[0, 1, 2].map((index) => `a/${v1.id}/aligned/${index}.m4s`),
  ])
})

test.each<[string, TimedSegments | undefined, number]>([
  ['missing', undefined, 0],
  ['late', timed(3.5, 4, 3.5), 2],
  ['short', timed(1, 4, 1), 2],
  ['late and short', timed(2, 4), 1],
  ['longer than the pictures', timed(1, 4, 4, 4, 4, 4), 3],
  ['begun by its priming', timed(1 - 1024 / 48_000, 5, 5), 2],
  ['shorter by less than a frame', timed(1, 5, 4.99), 2],
])(
  'playlistMediaPlaylist extends audio that is %s to the duration of the video',
  (_what, audioSegments, ownSegments) => {
    const [video, audio, other] = [sized(360), rendition('audio'), rendition('audio')]
    const stream = plan(element('a', video, audio), element('b', video, other))
    const segments = new Map([
      [video.id, timed(1, 4, 4, 2)],
      [other.id, timed(1, 5, 5)],
      ...(audioSegments === undefined ? [] : [[audio.id, audioSegments] as const]),
    ])
    const playlist = render(stream, sound, segments)
    expect(partsOf(playlist)[0]).toBeCloseTo(10, 1)
    expect(totalOf(playlist)).toBeCloseTo(20, 1)
    const own = playlist.segments.filter(({ uri }) => uri.startsWith(`a/${audio.id}/`))
    expect(own).toHaveLength(ownSegments)
    expect(
      playlist.segments.every(({ durationSeconds }) => durationSeconds <= playlist.targetDurationSeconds),
    ).toBe(true)
  },
)

test('playlistMediaPlaylist uses silence in whole frames in the format of the first audio', () => {
  const audio = rendition('audio', { sample_rate_hz: 44_100, channels: 1 })
  const video = sized(360)
  const stream = plan(element('a', video), element('b', video, audio))
  const playlist = render(
    stream,
    sound,
    new Map([
      [video.id, timed(1, 10)],
      [audio.id, timed(1, 10)],
    ]),
  )
  expect(playlist.initUri).toBe('fill/silence-44100-1/init.mp4')
  const [first] = playlist.segments
  const [, start, ticks] = /(\d+)-(\d+)\.m4s$/.exec(first?.uri ?? '') ?? []
  expect(start).toBe('44100')
  expect(Number(ticks) % 1024).toBe(0)
})

test('playlistMediaPlaylist shows black video for an audio-only element', () => {
  const [video, audio] = [sized(360), rendition('audio')]
  const stream = plan(element('a', video, rendition('audio')), element('radio', audio))
  const segments = new Map([
    [video.id, timed(1, 6)],
    [audio.id, timed(1 - 1024 / 48_000, 5, 5)],
  ])
  const playlist = render(stream, pictures, segments)
  expect(playlist.segments.slice(1).map(({ uri }) => uri)).toEqual([
    'fill/black/1000-6000.m4s',
    'fill/black/7000-3979.m4s',
  ])
  expect(partsOf(playlist)).toEqual(partsOf(render(stream, sound, segments)))
})

test('playlistMediaPlaylist keeps the place and duration of an element without renditions', () => {
  const [video, gone] = [sized(360), sized(360)]
  const stream = plan(element('a', video, rendition('audio')), element('gone', gone), element('a', video))
  const segments = new Map([[video.id, timed(1, 4)]])
  expect(partsOf(render(stream, pictures, segments))).toEqual([4, 10, 4])
  expect(partsOf(render(stream, sound, segments))).toEqual([4, 10, 4])
})

test('playlistMultivariant declares the size of the largest video for mixed aspect ratios', () => {
  const landscape = sized(720, { width_pixels: 1280 })
  const portrait = sized(1280, { width_pixels: 720 })
  const larger = sized(1920, { width_pixels: 1080 })
  const resolutions = (...elements: PlayableElement[]) =>
    variantsOf(plan(...elements)).variants.map(({ resolution }) => resolution)
  expect(resolutions(element('a', landscape), element('b', portrait))).toEqual([
    { widthPixels: 1280, heightPixels: 720 },
  ])
  expect(resolutions(element('a', portrait), element('b', landscape))).toEqual([
    { widthPixels: 720, heightPixels: 1280 },
  ])
  expect(resolutions(element('a', landscape), element('b', larger))).toEqual([
    { widthPixels: 1080, heightPixels: 1920 },
  ])
})
