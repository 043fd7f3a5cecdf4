import { describe, expect, test } from 'vitest'
import { canCopyAudio, canCopyVideo } from './copyable.ts'
import type { MediaError } from '../run/media-error.ts'
import { longestCredibleSeconds, parseProbe } from './parse-probe.ts'

type Json = Record<string, unknown>

/** A track of an MP4 file as ffprobe 5.1 reports it; the tables below override single fields. */
const videoJson: Json = {
  index: 0,
  id: '0x1',
  codec_name: 'h264',
  profile: 'High',
  codec_type: 'video',
  codec_tag_string: 'avc1',
  width: 1280,
  height: 720,
  has_b_frames: 2,
  sample_aspect_ratio: '1:1',
  pix_fmt: 'yuv420p',
  field_order: 'progressive',
  r_frame_rate: '30/1',
  avg_frame_rate: '30/1',
  start_time: '0.000000',
  duration: '3.000000',
  bit_rate: '239690',
  bits_per_raw_sample: '8',
  disposition: { default: 1, attached_pic: 0 },
  tags: { language: 'und' },
}

const audioJson: Json = {
  index: 1,
  id: '0x2',
  codec_name: 'aac',
  profile: 'LC',
  codec_type: 'audio',
  codec_tag_string: 'mp4a',
  sample_rate: '44100',
  channels: 2,
  bit_rate: '69584',
  duration: '3.023000',
  disposition: { default: 1, attached_pic: 0 },
  tags: { language: 'deu', handler_name: 'SoundHandler' },
}

const format = {
  format_name: 'mov,mp4,m4a',
  start_time: '0.000000',
  duration: '143165.576000',
  size: '120853',
  bit_rate: '322274',
}
const packets = [
  { stream_index: 0 },
  { stream_index: 1, side_data_list: [{ side_data_type: 'Skip Samples' }] },
]

const parse = (...streams: Json[]) => parseProbe({ format, streams, packets })
const parseVideo = (changes: Json) => {
  const { video } = parse({ ...videoJson, ...changes })
  if (!video) throw new Error('The probe has no video.')
  return video
}
const codeOf = (json: unknown): string => {
  try {
    parseProbe(json)
    return 'none'
  } catch (error) {
    return (error as MediaError).code
  }
}

test('parses an ordinary file completely and prefers its tracks over its container', () => {
  expect(parse(videoJson, audioJson)).toEqual({
    formatNames: ['mov', 'mp4', 'm4a'],
    startSeconds: 0,
    durationSeconds: 3.023,
    sizeBytes: 120853,
    bitsPerSecond: 322274,
    video: {
      index: 0,
      startSeconds: 0,
      trackId: 1,
      codec: 'h264',
      profile: 'High',
      codecTag: 'avc1',
      pixelFormat: 'yuv420p',
      bitDepth: 8,
      chroma: '4:2:0',
      widthPixels: 1280,
      heightPixels: 720,
      displayWidthPixels: 1280,
      displayHeightPixels: 720,
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
      bitsPerSecond: 239690,
    },
    audio: [
      {
        index: 1,
        trackId: 2,
        codec: 'aac',
        profile: 'LC',
        channels: 2,
        sampleRateHz: 44100,
        bitsPerSecond: 69584,
        language: 'deu',
        title: null,
        handlerName: 'SoundHandler',
        isPlaced: false,
        isDefault: true,
      },
    ],
    subtitles: [],
  })
})

test.each([
  ['square pixels unsaid', { sample_aspect_ratio: '0:1' }, 1280, 720, 0],
  ['anamorphic', { width: 720, height: 576, sample_aspect_ratio: '16:15' }, 768, 576, 0],
  ['turned by 90° counter-clockwise', { side_data_list: [{ rotation: 90 }] }, 720, 1280, 270],
  ['turned by a phone', { side_data_list: [{ rotation: -90 }] }, 720, 1280, 90],
  ['upside down', { side_data_list: [{ rotation: -180 }] }, 1280, 720, 180],
  ['turned by the older tag', { tags: { rotate: '90' } }, 720, 1280, 90],
])('computes the display size: %s', (_name, changes, width, height, rotationDegrees) => {
  expect(parseVideo(changes)).toMatchObject({
    displayWidthPixels: width,
    displayHeightPixels: height,
    rotationDegrees,
  })
})

test.each([
  ['constant', '30/1', '30/1', 'progressive', [30, 1], false],
  ['NTSC', '30000/1001', '30000/1001', 'progressive', [30000, 1001], false],
  [
    'an uneven average of a steady clock',
    '53820000/1796321',
    '30000/1001',
    'progressive',
    [30000, 1001],
    false,
  ],
  ['a phone that drops some frames', '285/10', '30/1', 'progressive', [30, 1], true],
  ['a millisecond clock', '24/1', '1000/1', 'progressive', [24, 1], true],
  ['a screen on which little moves', '5183/1000', '30/1', 'progressive', [30, 1], true],
  [
    'a browser that records a screen on which little moves',
    '2287/300',
    '30000/1',
    'progressive',
    [25, 1],
    true,
  ],
  ['such a recording whose times give no rate', '149/20', '149/20', 'progressive', [25, 1], true],
  ['a webcam in the dark on a millisecond clock', '14985/1000', '1000/1', 'progressive', [2997, 200], true],
  ['fields that the file does not speak of', '25/1', '50/1', 'progressive', [25, 1], true],
  ['fields counted', '25/1', '50/1', 'tt', [25, 1], false],
  ['unusual', '25/2', '25/2', 'progressive', [25, 2], false],
  ['unknown', '0/0', '0/0', 'progressive', [25, 1], true],
  ['absurd', '90000/1', '90000/1', 'progressive', [25, 1], true],
])(
  'reads the frame rate: %s',
  (_name, average, nominal, fieldOrder, [numerator, denominator], isVariableFrameRate) => {
    const video = parseVideo({ avg_frame_rate: average, r_frame_rate: nominal, field_order: fieldOrder })
    expect(video).toMatchObject({ frameRate: { numerator, denominator }, isVariableFrameRate })
  },
)

test.each([
  ['yuv420p', 8, '4:2:0'],
  ['yuvj420p', 8, '4:2:0'],
  ['nv12', 8, '4:2:0'],
  ['yuv420p10le', 10, '4:2:0'],
  ['p010le', 10, '4:2:0'],
  ['yuv422p10le', 10, '4:2:2'],
  ['yuv444p12le', 12, '4:4:4'],
  ['gbrp', 8, '4:4:4'],
  ['gray', 8, '4:0:0'],
])('reads pixel format %s as %i bits and %s', (pixelFormat, bitDepth, chroma) => {
  expect(parseVideo({ pix_fmt: pixelFormat })).toMatchObject({ bitDepth, chroma })
})

/** As ffprobe prints it. */
const matrixOf = (x: number, y: number): string =>
  `\n00000000:        ${x}           0           0\n00000001:            0      ${y}           0\n00000002:            0           0  1073741824\n`

describe('canCopyVideo', () => {
  test.each([
    ['H.264 High', {}, true],
    ['H.264 Constrained Baseline', { profile: 'Constrained Baseline' }, true],
    ['HEVC', { codec_name: 'hevc', profile: 'Main' }, false],
    ['High 10', { profile: 'High 10', pix_fmt: 'yuv420p10le' }, false],
    ['4:2:2', { profile: 'High 4:2:2', pix_fmt: 'yuv422p' }, false],
    ['interlaced', { field_order: 'tt' }, false],
    ['turned', { side_data_list: [{ rotation: -90 }] }, false],
    ['flipped', { side_data_list: [{ rotation: 0, displaymatrix: matrixOf(65_536, -65_536) }] }, false],
    ['not transformed', { side_data_list: [{ rotation: 0, displaymatrix: matrixOf(65_536, 65_536) }] }, true],
    ['anamorphic', { sample_aspect_ratio: '4:3' }, false],
    ['odd height', { height: 719 }, false],
    ['HLG', { color_transfer: 'arib-std-b67' }, false],
  ])('%s: %s', (_name, changes, expected) => {
    expect(canCopyVideo(parseVideo(changes))).toBe(expected)
  })
})

describe('canCopyAudio', () => {
  test.each([
    ['AAC-LC stereo', {}, true],
    ['HE-AAC', { profile: 'HE-AAC' }, true],
    ['AAC Main', { profile: 'Main' }, false],
    ['5.1', { channels: 6 }, false],
    ['96 kHz', { sample_rate: '96000' }, false],
    ['MP3', { codec_name: 'mp3', profile: undefined }, false],
  ])('%s: %s', (_name, changes, expected) => {
    const [audio] = parse({ ...audioJson, ...changes }).audio
    expect(audio && canCopyAudio(audio)).toBe(expected)
  })
})

const cover = { ...videoJson, codec_name: 'mjpeg', disposition: { attached_pic: 1 } }

test('does not treat cover art as video', () => {
  expect(parse(cover, audioJson)).toMatchObject({ video: null, cover: { codec: 'mjpeg', widthPixels: 1280 } })
  expect(parse(cover, { ...videoJson, index: 2 }, audioJson)).not.toHaveProperty('cover')
})

test('takes a single frame for a cover when the sound is more than a second longer', () => {
  const single = { ...videoJson, nb_frames: '1', duration: '0.040000' }
  expect(parse(single, audioJson)).toMatchObject({
    video: null,
    cover: { codec: 'h264' },
    durationSeconds: 3.023,
  })
  expect(parse(single, { ...audioJson, duration: '1.03' }).video).toMatchObject({ codec: 'h264' })
  expect(parse(single).video).toMatchObject({ codec: 'h264' })
  expect(parse({ ...single, nb_frames: '2' }, audioJson).video).toMatchObject({ codec: 'h264' })
})

test.each([
  ['nothing at all', {}, 'no_streams'],
  ['only a cover picture', { format, streams: [cover], packets }, 'no_streams'],
  [
    'only subtitles',
    { format, streams: [{ index: 0, codec_type: 'subtitle', codec_name: 'subrip' }], packets },
    'no_streams',
  ],
  [
    'an encrypted sample entry',
    { format, streams: [{ ...videoJson, codec_tag_string: 'encv' }], packets },
    'encrypted',
  ],
  [
    'encrypted packets',
    {
      format,
      streams: [videoJson],
      packets: [{ stream_index: 0, side_data_list: [{ side_data_type: 'Encryption info' }] }],
    },
    'encrypted',
  ],
  [
    'a codec without a name',
    { format, streams: [{ ...videoJson, codec_name: undefined }], packets },
    'unsupported_codec',
  ],
  [
    'a pixel bomb',
    { format, streams: [{ ...videoJson, width: 20_000, height: 20_000 }], packets },
    'too_large',
  ],
  ['tracks without a size', { format, streams: [{ ...videoJson, width: 0 }], packets }, 'corrupt'],
  ['tracks without data', { format, streams: [videoJson], packets: [] }, 'corrupt'],
  ['no object', 'text', 'no_streams'],
])('rejects %s', (_name, json, code) => {
  expect(codeOf(json)).toBe(code)
})

test('accepts a file with one usable track beside an unknown codec', () => {
  const probe = parse({ ...videoJson, codec_name: 'unknown' }, audioJson)
  expect(probe).toMatchObject({ video: null, audio: [{ codec: 'aac' }] })
})

test.each([
  ['an hour, in however few bytes', 66_560, 3_600],
  ['what a thousand bits a second would take', 45_000_000, 360_000],
])('ignores a duration longer than %s', (_name, sizeBytes, seconds) => {
  const claimed = (duration: number) =>
    parseProbe({
      streams: [{ ...videoJson, duration: String(duration) }],
      packets: [{ stream_index: 0 }],
      format: { size: String(sizeBytes) },
    }).durationSeconds
  expect(longestCredibleSeconds(sizeBytes)).toBe(seconds)
  expect(claimed(seconds)).toBe(seconds)
  expect(claimed(seconds + 1)).toBeNull()
})

test.each([
  ['matroska,webm', 9],
  ['flv', 14],
])(
  'a file of %s with a duration of 14 s whose first frame comes at 5 s lasts %d s',
  (format_name, seconds) => {
    const { duration: _duration, ...stream } = videoJson
    const probe = parseProbe({
      streams: [stream],
      packets: [{ stream_index: 0 }],
      format: { format_name, duration: '14.000000', start_time: '5.000000', size: '1000000' },
    })
    expect(probe.durationSeconds).toBe(seconds)
  },
)

test.each([
  ['one picture in two minutes', '1/120', '25/1', true],
  ['a screen on which little moves', '5183/1000', '30/1', true],
  ['a steady rate', '25/1', '25/1', false],
  ['an average that is a little off', '2499/100', '25/1', false],
  ['more than are kept', '1000/1', '1000/1', false],
  ['an unknown frame rate', '0/0', '25/1', false],
])('detects sparse frames: %s', (_name, average, nominal, isSparse) => {
  expect(parseVideo({ avg_frame_rate: average, r_frame_rate: nominal })?.isSparse).toBe(isSparse)
})
