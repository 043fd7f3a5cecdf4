import { describe, expect, test } from 'vitest'
import { createAddresses, isToken, loadingUnder } from './addresses.ts'
import { qualitiesOf } from './choices.ts'

const level = (
  width: number,
  height: number,
  bitrate = 1_000_000,
  videoRange: 'SDR' | 'PQ' = 'SDR',
  videoCodec?: string,
) => ({ width, height, bitrate, videoRange, videoCodec })

test.each([
  ['the largest first', [level(640, 360), level(1920, 1080), level(1280, 720)], ['1080p', '720p', '360p']],
  ['an upright one by its short side', [level(1080, 1920)], ['1080p']],
  ['high dynamic range', [level(3840, 2160, 9, 'PQ'), level(3840, 2160)], ['2160p', '2160p HDR']],
  [
    'two of one size by their bit rates',
    [level(1280, 720, 1_500_000), level(1280, 720, 3_000_000)],
    ['720p · 3.0 Mbit/s', '720p · 1.5 Mbit/s'],
  ],
  [
    'those of one size by their codecs',
    [
      level(1280, 720, 3_000_000, 'SDR', 'avc1.64001f'),
      level(1280, 720, 2_000_000, 'SDR', 'hvc1.1.6.L93.90'),
      level(1280, 720, 1_500_000, 'SDR', 'av01.0.05M.08'),
      level(640, 360, 800_000, 'SDR', 'avc1.64001e'),
    ],
    ['720p · H.264', '720p · HEVC', '720p · AV1', '360p'],
  ],
  ['sound alone has none', [level(0, 0)], []],
])('qualities: %s', (_name, levels, labels) => {
  expect(qualitiesOf(levels).map(({ label }) => label)).toEqual(labels)
})

describe('addresses', () => {
  const expiry = Math.floor(Date.parse('2026-03-01T12:00:00Z') / 1_000).toString(36)
  const token = `kv1.${expiry}.abc_-`

  test('without a signed link no URL changes', () => {
    const addresses = createAddresses('/v/id')
    expect(addresses.of('main.m3u8')).toBe('/v/id/main.m3u8')
    expect(addresses.expiresAt()).toBeNull()
    expect(addresses.renewed('https://a.example/v/id/1/0.m4s')).toBe('https://a.example/v/id/1/0.m4s')
    expect(loadingUnder(addresses)).toEqual({})
  })

  test('a new link replaces the first one for this playout only', () => {
    const addresses = createAddresses(`/s/${token}/l/id`)
    expect(addresses.expiresAt()?.toISOString()).toBe('2026-03-01T12:00:00.000Z')
    expect(addresses.setToken('kv1.zzzzzz.new')).toBe(true)
    expect(addresses.of('status.json')).toBe('/s/kv1.zzzzzz.new/l/id/status.json')
    expect(addresses.renewed(`https://node.example/s/${token}/l/id/1/2.m4s?_HLS_msn=3`)).toBe(
      'https://node.example/s/kv1.zzzzzz.new/l/id/1/2.m4s?_HLS_msn=3',
    )
    expect(addresses.renewed(`/s/${token}/v/other/1.m4s`)).toBe(`/s/${token}/v/other/1.m4s`)
  })

  test('a stale link does not replace an expired one', () => {
    const addresses = createAddresses(`/s/${token}/l/id`)
    expect(addresses.setToken(token)).toBe(false)
    expect(addresses.setToken('kv1.zzz.older')).toBe(false)
    expect(addresses.of('status.json')).toBe(`/s/${token}/l/id/status.json`)
    expect(createAddresses('/l/id').setToken('kv1.zzzzzz.new')).toBe(false)
  })

  test.each([
    [token, true],
    ['kp1.t5q3w0.6o9fJ0zQm1w', true],
    ['kv1.t5q3w0', false],
    ['../x', false],
    ['kv1.t5q3w0.a/b', false],
    ['kv1.zzzzzzzzz.abc', false],
  ])('%s is a token: %s', (text, expected) => {
    expect(isToken(text)).toBe(expected)
  })
})
