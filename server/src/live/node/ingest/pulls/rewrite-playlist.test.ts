import { expect, test } from 'vitest'
import { rewritePlaylist } from './rewrite-playlist.ts'

const base = 'https://cdn.example/live/main.m3u8?token=1'
const rewrite = (...lines: string[]) =>
  rewritePlaylist(lines.join('\n'), base, (url) => `<${url}>`).split('\n')

test('rewrites all addresses of a media playlist to the gateway', () => {
  expect(
    rewrite(
      '#EXTM3U',
      '#EXT-X-KEY:METHOD=AES-128,URI="../key?a=1,2",IV=0x1',
      '#EXT-X-MAP:BYTERANGE="100@0",URI="init.mp4"',
      '#EXTINF:4,',
      'a.m4s?x=1',
      '#EXTINF:4,',
      '/b.m4s',
      '#EXTINF:4,',
      '//other.example/c.m4s',
      '#EXT-X-PART:DURATION=1,URI="d.m4s"',
      '#EXT-X-PRELOAD-HINT:TYPE=PART,URI="e.m4s"',
      '#EXTINF:4,',
      'file:///etc/passwd',
    ),
  ).toEqual([
    '#EXTM3U',
    '#EXT-X-KEY:METHOD=AES-128,URI="<https://cdn.example/key?a=1,2>",IV=0x1',
    '#EXT-X-MAP:URI="<https://cdn.example/live/init.mp4>",BYTERANGE="100@0"',
    '#EXTINF:4,',
    '<https://cdn.example/live/a.m4s?x=1>',
    '#EXTINF:4,',
    '<https://cdn.example/b.m4s>',
    '#EXTINF:4,',
    '<https://other.example/c.m4s>',
    '#EXTINF:4,',
    // The guarded agent refuses it.
    '<file:///etc/passwd>',
  ])
})

test('keeps the best supported variant of a multivariant playlist with its audio', () => {
  expect(
    rewrite(
      '#EXTM3U',
      '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="low",NAME="a",URI="low.m3u8"',
      '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="high",NAME="b",DEFAULT=NO,URI="other.m3u8"',
      '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="high",NAME="a",DEFAULT=YES,URI="high.m3u8"',
      '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subs",NAME="s",URI="subs.m3u8"',
      '#EXT-X-STREAM-INF:AVERAGE-BANDWIDTH=9,BANDWIDTH=100,CODECS="avc1.4d401f,mp4a.40.2",AUDIO="low"',
      'small.m3u8',
      '#EXT-X-STREAM-INF:BANDWIDTH=900,CODECS="av01.0.08M.08",AUDIO="high"',
      'av1.m3u8',
      '#EXT-X-STREAM-INF:BANDWIDTH=500,CODECS="avc1.640028,mp4a.40.2",AUDIO="high"',
      'big.m3u8',
      '#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=10,URI="iframes.m3u8"',
    ),
  ).toEqual([
    '#EXTM3U',
    '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="high",NAME="a",DEFAULT=YES,URI="<https://cdn.example/live/high.m3u8>"',
    '#EXT-X-STREAM-INF:BANDWIDTH=500,CODECS="avc1.640028,mp4a.40.2",AUDIO="high"',
    '<https://cdn.example/live/big.m3u8>',
  ])
})

test('selects AV1 only without H.264 and HEVC', () => {
  const variant = (bitRate: number, codecs: string) => [
    `#EXT-X-STREAM-INF:BANDWIDTH=${bitRate},CODECS="${codecs}"`,
    `${codecs}.m3u8`,
  ]
  const lines = [...variant(900, 'vp09.00.40.08'), ...variant(300, 'av01.0.08M.08')]
  expect(rewrite('#EXTM3U', ...lines).at(-1)).toContain('av01')
  expect(rewrite('#EXTM3U', ...lines, ...variant(100, 'hvc1.1.6.L93.B0')).at(-1)).toContain('hvc1')
})

test.each([
  ['an unquoted address', '#EXT-X-MAP:URI=http://10.0.0.7/x'],
  ['a second address', '#EXT-X-KEY:METHOD=AES-128,URI="a",URI="http://10.0.0.7/x"'],
  ['a line that ends in a carriage return', '#EXT-X-FOO\rhttp://10.0.0.7/x'],
  ['a line that ends in NUL', '#EXTINF:4,\0http://10.0.0.7/x'],
  ['a quote that is escaped', '#EXT-X-MAP:X="\\",URI="http://10.0.0.7/x"'],
  ['a tag that is not known', '#EXT-X-FOO:URI="http://10.0.0.7/x"'],
  ['spaces', '  http://10.0.0.7/x'],
])('%s does not reach ffmpeg unchanged', (_what, line) => {
  const text = rewrite('#EXTM3U', line).join('\n')
  expect(text.replaceAll(/<[^>]*>/g, '')).not.toContain('10.0.0.7')
})
