import { M3U8Parser } from 'hls.js'
import { expect, test } from 'vitest'
import { parseMultivariantPlaylist, PlaylistError, quotableText, writeMultivariantPlaylist } from './index.ts'
import type { IFrameVariant, MultivariantPlaylist, Rendition, Variant } from './index.ts'

const variant: Variant = { uri: 'r1/video.m3u8', bandwidthBitsPerSecond: 800_000, codecs: ['avc1.64001f'] }
const audio: Rendition = {
  type: 'AUDIO',
  groupId: 'aac',
  name: 'Deutsch, mit Ton = an',
  language: 'de',
  isDefault: true,
  isAutoselect: true,
  channels: 2,
  uri: 'a1/audio.m3u8',
}
const subtitles: Rendition = {
  type: 'SUBTITLES',
  characteristics: [
    'public.accessibility.transcribes-spoken-dialog',
    'public.accessibility.describes-music-and-sound',
  ],
  groupId: 'captions',
  name: 'Ελληνικά 🎬',
  language: 'el',
  isDefault: false,
  isAutoselect: true,
  uri: 'c1/captions.m3u8',
}
const full: MultivariantPlaylist = {
  independentSegments: true,
  renditions: [
    audio,
    { ...audio, name: 'English', language: 'en', isDefault: false, channels: 6 },
    subtitles,
  ],
  variants: [
    {
      uri: 'r5/video.m3u8?a=1,2&b=3',
      bandwidthBitsPerSecond: 5_128_000,
      averageBandwidthBitsPerSecond: 3_900_000,
      codecs: ['avc1.640028', 'mp4a.40.2'],
      resolution: { widthPixels: 1920, heightPixels: 1080 },
      frameRate: 29.97,
      videoRange: 'SDR',
      audioGroupId: 'aac',
      subtitlesGroupId: 'captions',
    },
    { ...variant, videoRange: 'PQ', frameRate: 60 },
  ],
}

const iFrameVariant: IFrameVariant = {
  uri: 'r5/iframes.m3u8',
  bandwidthBitsPerSecond: 256_000,
  averageBandwidthBitsPerSecond: 200_000,
  codecs: ['avc1.640028'],
  resolution: { widthPixels: 1920, heightPixels: 1080 },
  videoRange: 'SDR',
}

const withoutClosedCaptions = (one: Variant): Variant => ({ ...one, hasNoClosedCaptions: true })

const promises: [string, MultivariantPlaylist][] = [
  ['video with audio and subtitles', full],
  ['a variant with its I-frames', { ...full, iFrameVariants: [iFrameVariant] }],
  ['one variant with nothing else', { independentSegments: false, renditions: [], variants: [variant] }],
  ['a variant whose codecs are unknown', { ...full, variants: [{ ...variant, codecs: [] }] }],
  ['audio that is muxed into the variant', { ...full, renditions: [withoutUri(audio), subtitles] }],
  ['variants without closed captions', { ...full, variants: full.variants.map(withoutClosedCaptions) }],
  ['a playlist with nothing to play yet', { independentSegments: false, renditions: [], variants: [] }],
]

function withoutUri(rendition: Rendition): Rendition {
  const copy = { ...rendition }
  delete copy.uri
  return copy
}

test.each(promises)('%s survives a write and parse round trip', (_, playlist) => {
  expect(parseMultivariantPlaylist(writeMultivariantPlaylist(playlist))).toEqual(playlist)
})

test('hls.js finds the same variants and renditions in a written playlist', () => {
  const text = writeMultivariantPlaylist(full)
  const parsed = M3U8Parser.parseMasterPlaylist(text, 'http://localhost/v/x/')
  expect(parsed.playlistParsingError).toBeNull()
  expect(parsed.levels[0]).toMatchObject({
    bitrate: 5_128_000,
    width: 1920,
    height: 1080,
    videoCodec: 'avc1.640028',
    audioCodec: 'mp4a.40.2',
    url: 'http://localhost/v/x/r5/video.m3u8?a=1,2&b=3',
  })
  const media = M3U8Parser.parseMasterPlaylistMedia(text, 'http://localhost/v/x/', parsed)
  expect(media.AUDIO?.map(({ name, lang, channels }) => [name, lang, channels])).toEqual([
    ['Deutsch, mit Ton = an', 'de', '2'],
    ['English', 'en', '6'],
  ])
  expect(media.SUBTITLES?.map(({ name }) => name)).toEqual(['Ελληνικά 🎬'])
})

test('writeMultivariantPlaylist writes entries as in the example of RFC 8216bis', () => {
  expect(writeMultivariantPlaylist(full)).toBe(`#EXTM3U
#EXT-X-VERSION:7
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aac",NAME="Deutsch, mit Ton = an",LANGUAGE="de",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",URI="a1/audio.m3u8"
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aac",NAME="English",LANGUAGE="en",DEFAULT=NO,AUTOSELECT=YES,CHANNELS="6",URI="a1/audio.m3u8"
#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="captions",NAME="Ελληνικά 🎬",LANGUAGE="el",DEFAULT=NO,AUTOSELECT=YES,CHARACTERISTICS="public.accessibility.transcribes-spoken-dialog,public.accessibility.describes-music-and-sound",URI="c1/captions.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=5128000,AVERAGE-BANDWIDTH=3900000,CODECS="avc1.640028,mp4a.40.2",RESOLUTION=1920x1080,FRAME-RATE=29.970,VIDEO-RANGE=SDR,AUDIO="aac",SUBTITLES="captions"
r5/video.m3u8?a=1,2&b=3
#EXT-X-STREAM-INF:BANDWIDTH=800000,CODECS="avc1.64001f",FRAME-RATE=60.000,VIDEO-RANGE=PQ
r1/video.m3u8
`)
})

test('an I-frame playlist is a single-line entry without frame rate and groups', () => {
  expect(writeMultivariantPlaylist({ ...full, iFrameVariants: [iFrameVariant] })).toContain(
    '\n#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=256000,AVERAGE-BANDWIDTH=200000,CODECS="avc1.640028",RESOLUTION=1920x1080,VIDEO-RANGE=SDR,URI="r5/iframes.m3u8"\n',
  )
})

const withRendition = (change: Partial<Rendition>): MultivariantPlaylist => ({
  ...full,
  renditions: [{ ...audio, ...change }, subtitles],
})
const withVariant = (change: Partial<Variant>): MultivariantPlaylist => ({
  ...full,
  variants: [{ ...variant, ...change }],
})

test.each([
  ['a name that leaves its quotes', withRendition({ name: 'x",URI="http://evil/' })],
  ['a name with a line break', withRendition({ name: 'x\n#EXT-X-ENDLIST' })],
  ['a name with a control character', withRendition({ name: 'x\u0085y' })],
  ['a name with half a surrogate pair', withRendition({ name: 'x\ud83d' })],
  ['a name that is a variable reference', withRendition({ name: '{$token}' })],
  ['an unknown group', withVariant({ audioGroupId: 'opus' })],
  ['a group of another type', withVariant({ audioGroupId: 'captions' })],
  ['two renditions of one name in a group', { ...full, renditions: [audio, audio, subtitles] }],
  ['two defaults in a group', { ...full, renditions: [audio, { ...audio, name: 'Other' }, subtitles] }],
  ['a default that is not autoselected', withRendition({ isAutoselect: false })],
  ['a characteristic that leaves its quotes', withRendition({ characteristics: ['a",URI="b'] })],
  ['two characteristics in one', withRendition({ characteristics: ['public.a,public.b'] })],
  ['subtitles without a URI', { ...full, renditions: [audio, withoutUri(subtitles)] }],
  ['two codecs in one string', withVariant({ codecs: ['avc1.64001f,mp4a.40.2'] })],
  ['a bandwidth with a fraction', withVariant({ bandwidthBitsPerSecond: 1.5 })],
  ['a frame rate of zero', withVariant({ frameRate: 0 })],
  [
    'an I-frame URI that leaves its quotes',
    { ...full, iFrameVariants: [{ ...iFrameVariant, uri: 'i",X="' }] },
  ],
  ['a URI that would be a tag', withVariant({ uri: '#EXTINF:1,' })],
])('writeMultivariantPlaylist rejects %s', (_, playlist) => {
  expect(() => writeMultivariantPlaylist(playlist)).toThrow(PlaylistError)
})

test.each([
  ['The "Director\'s" cut', "The \u2019Director's\u2019 cut"],
  ['two\r\nlines', 'two lines'],
  ['{$name}', '{ $name}'],
  ['Café', 'Caf\u00e9'],
  ['half \ud83d', 'half \ufffd'],
])('quotableText makes %j a valid name', (text, expected) => {
  expect(quotableText(text)).toBe(expected)
  const playlist = withRendition({ name: quotableText(text) })
  expect(parseMultivariantPlaylist(writeMultivariantPlaylist(playlist))).toEqual(playlist)
})

test('parseMultivariantPlaylist ignores unknown tags and attributes', () => {
  const text = `#EXTM3U
#EXT-X-CONTENT-STEERING:SERVER-URI="/steer"
#EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID="cc",NAME="CC1",INSTREAM-ID="CC1"
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="Atmos",CHANNELS="16/JOC",URI="a.m3u8",CHARACTERISTICS="x,y"
#EXT-X-SESSION-DATA:DATA-ID="x",VALUE="y"
#EXT-X-STREAM-INF:BANDWIDTH=1280000,CODECS="avc1.4d401e, mp4a.40.2",AUDIO="a",CLOSED-CAPTIONS=NONE,SCORE=1.5

# the URI may follow blank lines and comments
low.m3u8
`
  expect(parseMultivariantPlaylist(text)).toEqual({
    independentSegments: false,
    renditions: [
      {
        type: 'AUDIO',
        groupId: 'a',
        name: 'Atmos',
        isDefault: false,
        isAutoselect: false,
        channels: 16,
        characteristics: ['x', 'y'],
        uri: 'a.m3u8',
      },
    ],
    variants: [
      {
        uri: 'low.m3u8',
        bandwidthBitsPerSecond: 1_280_000,
        codecs: ['avc1.4d401e', 'mp4a.40.2'],
        audioGroupId: 'a',
        hasNoClosedCaptions: true,
      },
    ],
  })
})

test.each([
  ['<html>', 1, 'must start with #EXTM3U'],
  ['#EXTM3U\n#EXTINF:4,\ns.ts', 2, 'media playlist'],
  ['#EXTM3U\n\nv.m3u8', 3, 'must follow EXT-X-STREAM-INF'],
  ['#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n', 2, 'must be followed by a URI'],
  [
    '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n#EXT-X-STREAM-INF:BANDWIDTH=2\nv',
    2,
    'must be followed by a URI',
  ],
  ['#EXTM3U\n#EXT-X-STREAM-INF:CODECS="x"\nv', 2, 'BANDWIDTH is missing'],
  ['#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH="1"\nv', 2, 'BANDWIDTH must be a whole number'],
  ['#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,RESOLUTION=big\nv', 2, 'RESOLUTION must be'],
  ['#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,FRAME-RATE=30/1\nv', 2, 'FRAME-RATE must be'],
  ['#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,VIDEO-RANGE=NEW\nv', 2, 'VIDEO-RANGE must be one of'],
  ['#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1 CODECS="x"\nv', 2, 'attribute list is invalid'],
  ['#EXTM3U\n#EXT-X-MEDIA:GROUP-ID="a",NAME="n"', 2, 'TYPE is missing'],
  ['#EXTM3U\n#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="a",NAME="n"', 2, 'requires a URI'],
  ['#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="n",CHANNELS="two"', 2, 'CHANNELS must start'],
  ['#EXTM3U\n#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1', 2, 'requires a URI'],
  ['#EXTM3U\n#EXT-X-DEFINE:NAME="a",VALUE="b"', 2, 'not supported'],
])('parseMultivariantPlaylist rejects %j and reports line %i', (text, lineNumber, message) => {
  expect(() => parseMultivariantPlaylist(text)).toThrow(
    expect.objectContaining({ name: 'PlaylistError', lineNumber, message: expect.stringContaining(message) }),
  )
})
