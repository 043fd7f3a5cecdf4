import { describe, expect, test } from 'vitest'
import { planRenditions, type PlanOptions } from './plan-renditions.ts'
import type { AudioStream, Probe, VideoStream } from '../probe/probe.ts'

const videoOf = (widthPixels: number, heightPixels: number): VideoStream => ({
  index: 0,
  startSeconds: 0,
  trackId: 1,
  codec: 'hevc',
  profile: 'Main',
  codecTag: 'hvc1',
  pixelFormat: 'yuv420p',
  bitDepth: 8,
  chroma: '4:2:0',
  widthPixels,
  heightPixels,
  displayWidthPixels: widthPixels,
  displayHeightPixels: heightPixels,
  rotationDegrees: 0,
  sampleAspectRatio: { numerator: 1, denominator: 1 },
  frameRate: { numerator: 30, denominator: 1 },
  isVariableFrameRate: false,
  isSparse: false,
  colorTransfer: null,
  colorMatrix: null,
  isHdr: false,
  isInterlaced: false,
  hasBFrames: true,
  bitsPerSecond: null,
})

const stereo: AudioStream = {
  index: 1,
  trackId: 2,
  codec: 'opus',
  profile: null,
  channels: 2,
  sampleRateHz: 48_000,
  bitsPerSecond: 96_000,
  language: null,
  title: null,
  handlerName: null,
  isPlaced: true,
  isDefault: false,
}

const probeOf = (video: VideoStream | null, audio: AudioStream[] = [stereo]): Probe => ({
  formatNames: ['mov'],
  startSeconds: 0,
  durationSeconds: 5,
  sizeBytes: 1,
  bitsPerSecond: null,
  video,
  audio,
  subtitles: [],
})

const encodeAll: PlanOptions = { isVideoCopied: false, copiedAudio: [] }

const namesAndSizes = (probe: Probe, options = encodeAll): string[] => {
  const { ladder, firstRung } = planRenditions(probe, options)
  const rungs = firstRung ? [...ladder, firstRung] : ladder
  return rungs.map(({ name, widthPixels, heightPixels }) => `${name} ${widthPixels}x${heightPixels}`)
}

describe('ladder of an encoded source', () => {
  test.each([
    ['landscape', 1920, 1080, ['1080p 1920x1080', '720p 1280x720', '480p 854x480', '360p 640x360']],
    ['portrait', 1080, 1920, ['1080p 1080x1920', '720p 720x1280', '480p 480x854', '360p 360x640']],
    ['4:3', 640, 480, ['480p 640x480', '360p 480x360']],
    ['square', 1000, 1000, ['720p 720x720', '480p 480x480', '360p 360x360']],
    ['wide screen', 1920, 804, ['1080p 1920x804', '720p 1280x536', '480p 854x358', '360p 640x268']],
    [
      'odd size a little below a rung',
      1917,
      1077,
      ['1080p 1916x1076', '720p 1280x720', '480p 854x480', '360p 640x360'],
    ],
    ['between two rungs', 1366, 768, ['720p 1280x720', '480p 854x480', '360p 640x360']],
    ['exactly the lowest', 640, 360, ['360p 640x360']],
    ['small', 320, 180, ['180p 320x180']],
    ['small, portrait and odd', 101, 181, ['102p 100x180']],
    ['a single pixel', 1, 1, ['1p 2x2']],
    [
      'a long strip',
      10_000,
      10,
      ['2160p 3840x4', '1440p 2560x2', '1080p 1920x2', '720p 1280x2', '480p 854x2', '360p 640x2'],
    ],
  ])('%s', (_name, width, height, expected) => {
    expect(namesAndSizes(probeOf(videoOf(width, height)))).toEqual(expected)
  })

  test('plans six rungs for 4K with descending bit rates and a superfast lowest rung', () => {
    const plan = planRenditions(probeOf(videoOf(3840, 2160)), encodeAll)
    const bitRates = plan.ladder.map((rung) => rung.maxBitsPerSecond)
    expect(plan.ladder.map((rung) => rung.name)).toEqual(['2160p', '1440p', '1080p', '720p', '480p'])
    expect(bitRates).toEqual(bitRates.toSorted((a, b) => b - a))
    expect(plan.firstRung).toMatchObject({ name: '360p', preset: 'superfast' })
    expect(plan.ladder.every((rung) => rung.preset === 'veryfast')).toBe(true)
    expect(plan.ladder.every((rung) => rung.keyFrameSeconds === 4)).toBe(true)
    expect(plan.firstRung?.keyFrameSeconds).toBeUndefined()
  })
})

describe('ladder of a copied source', () => {
  const copied = { isVideoCopied: true, copiedAudio: [1] }

  test.each([
    ['1080p', 1920, 1080, ['720p 1280x720', '480p 854x480', '360p 640x360']],
    ['a little above 720p', 1300, 730, ['480p 854x480', '360p 640x360']],
    ['360p', 640, 360, []],
  ])('plans only lower rungs and no first rung for %s', (_name, width, height, expected) => {
    const probe = probeOf(videoOf(width, height))
    expect(namesAndSizes(probe, copied)).toEqual(expected)
    expect(planRenditions(probe, copied).firstRung).toBeNull()
  })

  test('has the key frames of storyboards in its lowest rung, and fewer in the others', () => {
    const { ladder } = planRenditions(probeOf(videoOf(1920, 1080)), { ...copied, codecs: ['hevc', 'av1'] })
    expect(ladder.map((rung) => rung.keyFrameSeconds)).toEqual([4, 4, undefined])
  })
})

describe('configured rungs', () => {
  test('replace the default ladder and inherit missing values from it', () => {
    const rungs = [
      { heightPixels: 240 },
      { heightPixels: 720, maxBitsPerSecond: 2_000_000, crf: 25 },
      { heightPixels: 1440 },
    ]
    const plan = planRenditions(probeOf(videoOf(1920, 1080)), { ...encodeAll, rungs })
    expect(plan.ladder).toMatchObject([{ name: '720p', maxBitsPerSecond: 2_000_000, crf: 25 }])
    expect(plan.firstRung).toMatchObject({
      name: '240p',
      widthPixels: 426,
      heightPixels: 240,
      maxBitsPerSecond: 800_000,
    })
  })

  test('still yield one rung of the source size when all are above it', () => {
    const plan = planRenditions(probeOf(videoOf(320, 180)), { ...encodeAll, rungs: [{ heightPixels: 1080 }] })
    expect(plan.firstRung).toMatchObject({ widthPixels: 320, heightPixels: 180 })
    expect(plan.ladder).toEqual([])
  })
})

describe('audio plan', () => {
  const planAudio = (audio: AudioStream[], copiedAudio: number[] = []) =>
    planRenditions(probeOf(null, audio), { isVideoCopied: false, copiedAudio }).audio

  test('encodes surround as stereo and one channel as mono', () => {
    const common = { name: 'audio', action: 'encode', streamIndex: 1, language: null, label: 'Audio' }
    expect(planAudio([{ ...stereo, channels: 6 }])).toEqual([
      { ...common, bitsPerSecond: 128_000, channels: 2 },
    ])
    expect(planAudio([{ ...stereo, channels: 1 }])).toEqual([
      { ...common, bitsPerSecond: 64_000, channels: 1 },
    ])
  })

  test('puts the default track of the file first', () => {
    const plan = planAudio([stereo, { ...stereo, index: 4, isDefault: true }])
    expect(plan).toMatchObject([
      { streamIndex: 4, name: 'audio' },
      { streamIndex: 1, name: 'audio 2' },
    ])
  })

  test('copies selected tracks, and is empty without audio', () => {
    const plan = planAudio([stereo, { ...stereo, index: 2 }], [1])
    expect(plan).toMatchObject([
      { action: 'copy', streamIndex: 1, bitsPerSecond: 96_000, channels: 2 },
      { action: 'encode', streamIndex: 2 },
    ])
    expect(planAudio([])).toEqual([])
  })

  test('has no rungs and no frame rate for audio alone', () => {
    expect(planRenditions(probeOf(null), encodeAll)).toMatchObject({
      firstRung: null,
      ladder: [],
      frameRate: null,
    })
  })
})

test.each([
  [30, 1, 30, 1],
  [60_000, 1001, 60_000, 1001],
  [120, 1, 60, 1],
  [100, 1, 50, 1],
  [120_000, 1001, 60_000, 1001],
])(
  'encodes a source of %i/%i frames per second at %i/%i',
  (numerator, denominator, outNumerator, outDenominator) => {
    const video = { ...videoOf(640, 360), frameRate: { numerator, denominator } }
    expect(planRenditions(probeOf(video), encodeAll).frameRate).toEqual({
      numerator: outNumerator,
      denominator: outDenominator,
    })
  },
)

describe('additional codecs', () => {
  const codecs = ['h264', 'av1', 'hevc'] as const
  const planned = (widthPixels: number, heightPixels: number, isVideoCopied: boolean) =>
    planRenditions(probeOf(videoOf(widthPixels, heightPixels)), { ...encodeAll, isVideoCopied, codecs })

  test.each([true, false])('have the complete ladder, HEVC first (source copied: %s)', (isCopied) => {
    expect(planned(1280, 720, isCopied).moreCodecs.map(({ name, codec }) => [name, codec])).toEqual([
      ['720p-hevc', 'hevc'],
      ['480p-hevc', 'hevc'],
      ['360p-hevc', 'hevc'],
      ['720p-av1', 'av1'],
      ['480p-av1', 'av1'],
      ['360p-av1', 'av1'],
    ])
  })

  test('have lower ceilings than H.264 and the same sizes', () => {
    const { ladder, moreCodecs } = planned(1280, 720, false)
    const [h264, hevc, av1] = [ladder[0], moreCodecs[0], moreCodecs[3]]
    expect([hevc?.widthPixels, av1?.heightPixels]).toEqual([1280, 720])
    expect(hevc?.maxBitsPerSecond).toBeLessThan(h264?.maxBitsPerSecond ?? 0)
    expect(av1?.maxBitsPerSecond).toBeLessThan(hevc?.maxBitsPerSecond ?? 0)
  })

  test('are left out when the video is too small for them', () => {
    expect(planned(160, 62, false).moreCodecs).toEqual([])
    expect(planned(160, 90, false).moreCodecs.map(({ name }) => name)).toEqual(['90p-hevc', '90p-av1'])
  })

  test('are not encoded by default', () => {
    expect(planRenditions(probeOf(videoOf(1280, 720)), encodeAll).moreCodecs).toEqual([])
  })
})
