import { describe, expect, test } from 'vitest'
import { codecName, findRendition, nameRenditions, type FileRendition } from './renditions.ts'

const rendition = (
  id: number,
  codec: string,
  [widthPixels, heightPixels]: readonly [number, number] | readonly [null, null],
  kbps: number,
): FileRendition => ({
  ...{ id, kind: widthPixels === null ? 'audio' : 'video', codec, widthPixels, heightPixels },
  ...{ peakBitsPerSecond: kbps * 1_000, averageBitsPerSecond: kbps * 800 },
})

const sound = rendition(9, 'mp4a.40.2', [null, null], 100)
const ladder = nameRenditions([
  rendition(1, 'avc1.640028', [1920, 1080], 5_000),
  rendition(2, 'hvc1.1.6.L120', [1920, 1080], 3_000),
  rendition(3, 'avc1.64001f', [1280, 720], 2_000),
  rendition(4, 'av01.0.05M.08', [480, 854], 900),
  sound,
])

describe('renditions of a file', () => {
  test.each([
    ['avc1.640028', 'h264'],
    ['avc3.42c01e', 'h264'],
    ['hev1.1.6.L93', 'hevc'],
    ['av01.0.08M.08', 'av1'],
    ['vp09.00.10.08', 'vp9'],
    ['mp4a.40.2', 'aac'],
    ['Opus', 'opus'],
    ['fLaC', 'flac'],
    ['ec-3', 'eac3'],
    ['xyz', 'unknown'],
  ])('have names of codecs: %s is %s', (codec, name) => {
    expect(codecName(codec)).toBe(name)
  })

  test('have the shorter side as their size, and no sound beside a picture', () => {
    expect(ladder.map(({ name }) => name)).toEqual(['h264 1080p', 'hevc 1080p', 'h264 720p', 'av1 480p'])
    expect(nameRenditions([sound]).map(({ name }) => name)).toEqual(['aac audio'])
    expect(nameRenditions([])).toEqual([])
  })

  test.each([
    ['hls.js: the peak with the sound', 5_100, 'h264 1080p'],
    ['dash.js: the peak of the picture', 2_000, 'h264 720p'],
    ['the player of Zoetrope: the mean with the sound', 2_480, 'hevc 1080p'],
    ['a rounded one', 2_010, 'h264 720p'],
    ['one of no rendition', 1_500, null],
  ])('are found by the bit rate that players report, %s', (_name, bitRateKbps, found) => {
    expect(findRendition(ladder, { rendition: null, bitRateKbps })).toBe(found)
  })

  test.each([
    ['names codec and size', 'h264 1080p', 'h264 1080p'],
    ['names a size with one codec', 'unknown 720p', 'h264 720p'],
    ['names a size with two codecs', 'unknown 1080p', 'unknown 1080p'],
    ['names a size that the file does not have', 'unknown 240p', 'unknown 240p'],
  ])('count as what the player reports if it %s', (_name, reported, found) => {
    expect(findRendition(ladder, { rendition: reported, bitRateKbps: 2_000 })).toBe(found)
    expect(findRendition([], { rendition: reported, bitRateKbps: 2_000 })).toBe(reported)
  })
})
