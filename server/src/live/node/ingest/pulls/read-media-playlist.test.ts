import { expect, test } from 'vitest'
import { readMediaPlaylist, writeMediaPlaylist, type Resource } from './read-media-playlist.ts'

const nameOf = ({ url, range }: Resource): string =>
  `<${url}${range === null ? '' : ` ${range.offset}+${range.length}`}>`

const source = [
  '#EXTM3U',
  '#EXT-X-VERSION:7',
  '#EXT-X-TARGETDURATION:4',
  '#EXT-X-MEDIA-SEQUENCE:17',
  '#EXT-X-MAP:URI="https://a.example/all.mp4",BYTERANGE="700@0"',
  '#EXTINF:4.0,',
  '#EXT-X-BYTERANGE:1000@700',
  'https://a.example/all.mp4',
  '#EXTINF:4.0,',
  '#EXT-X-BYTERANGE:2000',
  'https://a.example/all.mp4',
  '#EXT-X-DISCONTINUITY',
  '#EXT-X-KEY:METHOD=AES-128,URI="https://a.example/$&key",IV=0x1',
  '#EXTINF:3.5,',
  'https://a.example/c.mp4',
  '#EXT-X-KEY:METHOD=NONE',
  '#EXTINF:3.5,',
  'https://a.example/d.mp4',
  '#EXT-X-ENDLIST',
].join('\n')

test('reads the segments of a playlist with their ranges, keys and initialization sections', () => {
  const playlist = readMediaPlaylist(source)
  expect(playlist).toMatchObject({ version: '#EXT-X-VERSION:7', targetSeconds: 4, isEnded: true })
  expect(
    playlist.segments.map(({ sequence, seconds, resource, key }) => [
      sequence,
      seconds,
      nameOf(resource),
      key === null ? null : nameOf(key.resource),
    ]),
  ).toEqual([
    [17, 4, '<https://a.example/all.mp4 700+1000>', null],
    [18, 4, '<https://a.example/all.mp4 1700+2000>', null],
    [19, 3.5, '<https://a.example/c.mp4>', '<https://a.example/$&key>'],
    [20, 3.5, '<https://a.example/d.mp4>', null],
  ])
})

test('writes a window of the playlist that names local files and stands alone', () => {
  const playlist = readMediaPlaylist(source)
  const window = playlist.segments.slice(1)
  expect(writeMediaPlaylist(playlist, window, { isEnded: false, nameOf }).split('\n')).toEqual([
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    '#EXT-X-TARGETDURATION:4',
    '#EXT-X-MEDIA-SEQUENCE:18',
    '#EXT-X-MAP:URI="<https://a.example/all.mp4 0+700>"',
    '#EXTINF:4.0,',
    '<https://a.example/all.mp4 1700+2000>',
    '#EXT-X-KEY:METHOD=AES-128,URI="<https://a.example/$&key>",IV=0x1',
    '#EXT-X-DISCONTINUITY',
    '#EXTINF:3.5,',
    '<https://a.example/c.mp4>',
    '#EXT-X-KEY:METHOD=NONE',
    '#EXTINF:3.5,',
    '<https://a.example/d.mp4>',
    '',
  ])
})

test.each(['', '#EXTM3U', '#EXTM3U\n#EXT-X-BYTERANGE:x@y\n#EXT-X-MAP:\n#EXT-X-KEY:METHOD=AES-128'])(
  'reads %j as a playlist without segments',
  (text) => {
    expect(readMediaPlaylist(text).segments.every(({ resource }) => resource.url === '')).toBe(true)
  },
)
