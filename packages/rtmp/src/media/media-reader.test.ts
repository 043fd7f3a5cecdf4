import { expect, test } from 'vitest'
import { flv } from '../../test-support/chunks.ts'
import { MediaReader } from './media-reader.ts'
import type { MediaMessage } from '../messages/media-message.ts'
import { messageTypes } from '../wire/message.ts'
import { writeAmf0 } from '../amf0/write-amf0.ts'

const message = (type: keyof typeof messageTypes, payload: Buffer, timestamp = 0) => ({
  type: messageTypes[type],
  timestamp,
  streamId: 1,
  payload,
})

const read = (type: keyof typeof messageTypes, payload: Buffer, timestamp = 0): MediaMessage[] =>
  new MediaReader().read(message(type, payload, timestamp))

const bytes = (...parts: (string | number)[]): Buffer =>
  Buffer.concat(
    parts.map((part) => (typeof part === 'number' ? Buffer.of(part) : Buffer.from(part, 'latin1'))),
  )

const data = Buffer.from('data')
const frame = (codec: string, compositionTimeMs = 0, isKeyFrame = true) => [
  { type: 'video-frame', codec, timestampMs: 7, compositionTimeMs, isKeyFrame, data },
]

test.each<[string, Buffer, unknown]>([
  [
    'H.264 configuration',
    flv.avcConfiguration('data'),
    [{ type: 'video-configuration', codec: 'avc1', data }],
  ],
  ['H.264 key frame', flv.avcFrame('data'), frame('avc1')],
  ['H.264 frame shown 80 ms later', bytes(0x27, 1, 0, 0, 80, 'data'), frame('avc1', 80, false)],
  [
    'H.264 frame shown 2 ms before it is decoded',
    bytes(0x27, 1, 0xff, 0xff, 0xfe, 'data'),
    frame('avc1', -2, false),
  ],
  ['H.264 end', bytes(0x17, 2, 0, 0, 0), [{ type: 'video-end' }]],
  ['HEVC under the number 12', bytes(0x1c, 1, 0, 0, 3, 'data'), frame('hvc1', 3)],
  ['HEVC configuration', bytes(0x90, 'hvc1data'), [{ type: 'video-configuration', codec: 'hvc1', data }]],
  ['HEVC frame', bytes(0x91, 'hvc1', 0, 0, 80, 'data'), frame('hvc1', 80)],
  ['HEVC frame shown at once', bytes(0xa3, 'hvc1data'), frame('hvc1', 0, false)],
  ['AVC by FourCC', bytes(0x91, 'avc1', 0xff, 0xff, 0xff, 'data'), frame('avc1', -1)],
  ['AV1 configuration', bytes(0x90, 'av01data'), [{ type: 'video-configuration', codec: 'av01', data }]],
  ['AV1 frame has no composition time', bytes(0x91, 'av01data'), frame('av01')],
  ['VP9 frame', bytes(0xa1, 'vp09data'), frame('vp09', 0, false)],
  ['end by FourCC', bytes(0x92, 'av01'), [{ type: 'video-end' }]],
  [
    'HDR facts',
    Buffer.concat([bytes(0x94, 'hvc1'), writeAmf0('colorInfo', { colorConfig: { bitDepth: 10 } })]),
    [{ type: 'color-info', values: { colorConfig: { bitDepth: 10 } } }],
  ],
  ['finer timestamps are passed over', bytes(0x97, 2, 1, 2, 3, 0x01, 'av01data'), frame('av01')],
  [
    'an extension of 300 bytes is passed over',
    bytes(0x97, 0xff, 0x01, 0x2b, 'x'.repeat(300), 0x03, 'hvc1data'),
    frame('hvc1'),
  ],
  ['the first of many tracks', bytes(0x96, 0x03, 'hvc1', 0, 'data'), frame('hvc1')],
  [
    'another track',
    bytes(0x96, 0x03, 'hvc1', 1, 'data'),
    [expect.objectContaining({ type: 'warning', code: 'track_ignored' })],
  ],
  [
    'many tracks at once',
    bytes(0x96, 0x13, 'hvc1', 0, 0, 0, 4, 'data'),
    [expect.objectContaining({ type: 'warning' })],
  ],
  ['a seek command', bytes(0x57, 0), []],
  ['a seek command of E-RTMP', bytes(0xd1, 0), []],
  ['a frame without data', bytes(0x17, 1, 0, 0, 0), []],
  ['nothing', Buffer.alloc(0), []],
])('MediaReader reads video: %s', (_, payload, expected) => {
  expect(read('video', payload, 7)).toEqual(expected)
})

test.each<[string, Buffer, unknown]>([
  ['AAC configuration', flv.aacConfiguration('data'), [{ type: 'audio-configuration', codec: 'mp4a', data }]],
  ['AAC frame', flv.aacFrame('data'), [{ type: 'audio-frame', codec: 'mp4a', timestampMs: 7, data }]],
  ['Opus configuration', bytes(0x90, 'Opusdata'), [{ type: 'audio-configuration', codec: 'Opus', data }]],
  ['Opus frame', bytes(0x91, 'Opusdata'), [{ type: 'audio-frame', codec: 'Opus', timestampMs: 7, data }]],
  ['AAC by FourCC', bytes(0x91, 'mp4adata'), [{ type: 'audio-frame', codec: 'mp4a', timestampMs: 7, data }]],
  ['end', bytes(0x92, 'mp4a'), [{ type: 'audio-end' }]],
  ['another track', bytes(0x95, 0x01, 'mp4a', 1, 'data'), [expect.objectContaining({ type: 'warning' })]],
  ['nothing', Buffer.alloc(0), []],
])('MediaReader reads audio: %s', (_, payload, expected) => {
  expect(read('audio', payload, 7)).toEqual(expected)
})

test.each<['audio' | 'video' | 'aggregate', Buffer, string]>([
  ['video', bytes(0x12, 'data'), 'unsupported'],
  ['video', bytes(0x91, 'vvc1data'), 'unsupported'],
  ['video', bytes(0x91, 0, 0xff, 10, 0x41, 'data'), 'unsupported'],
  ['audio', bytes(0x2f, 'data'), 'unsupported'],
  ['audio', bytes(0x91, 'fLaCdata'), 'unsupported'],
  ['aggregate', data, 'unsupported'],
  ['video', bytes(0x17, 1), 'malformed'],
  ['video', bytes(0x91, 'hv'), 'malformed'],
  ['video', bytes(0x97, 0xff, 0xff, 0xff), 'malformed'],
  ['audio', bytes(0xaf), 'malformed'],
])('MediaReader rejects invalid %s with an error code (%#)', (type, payload, code) => {
  expect(() => read(type, payload)).toThrow(expect.objectContaining({ code }))
})

test('MediaReader reports a configuration only when it changes, and keeps it', () => {
  const reader = new MediaReader()
  const types = ['one', 'one', 'two'].map((text) =>
    reader.read(message('video', flv.avcConfiguration(text))).map(({ type }) => type),
  )
  expect(types).toEqual([['video-configuration'], [], ['video-configuration']])
  expect(reader.videoConfiguration?.data.toString()).toBe('two')
})

test('MediaReader reads metadata with and without @setDataFrame, and in AMF3 messages', () => {
  const values = { width: 1_280, encoder: 'x' }
  const metadata = [{ type: 'metadata', values }]
  expect(read('dataAmf0', writeAmf0('@setDataFrame', 'onMetaData', values))).toEqual(metadata)
  expect(read('dataAmf0', writeAmf0('onMetaData', values))).toEqual(metadata)
  expect(read('dataAmf3', Buffer.concat([Buffer.of(0), writeAmf0('onMetaData', values)]))).toEqual(metadata)
  expect(read('dataAmf0', writeAmf0('onCuePoint', { name: 'ad' }), 9)).toEqual([
    { type: 'data', name: 'onCuePoint', timestampMs: 9, values: [{ name: 'ad' }] },
  ])
  expect(read('dataAmf0', Buffer.from('nonsense'))).toEqual([])
})

test('MediaReader warns once about multiple tracks and each time the clock jumps', () => {
  const reader = new MediaReader()
  const other = bytes(0x96, 0x03, 'hvc1', 1, 'data')
  expect([1, 2].map(() => reader.read(message('video', other)).length)).toEqual([1, 0])
  reader.read(message('video', flv.avcFrame(), 90_000))
  expect(reader.read(message('audio', flv.aacFrame(), 0))).toMatchObject([
    { type: 'warning', code: 'clock_jumped' },
    { type: 'audio-frame', timestampMs: 90_000 },
  ])
})
