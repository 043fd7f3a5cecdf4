import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { M3U8Parser } from 'hls.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseMediaPlaylist, PlaylistError, writeMediaPlaylist } from './index.ts'
import type { MediaPlaylist } from './index.ts'

const vod: MediaPlaylist = {
  mediaSequence: 0,
  playlistType: 'VOD',
  hasEnded: true,
  independentSegments: true,
  initUri: 'init.mp4',
  segments: [
    { uri: '1.m4s', durationSeconds: 4 },
    { uri: '2.m4s', durationSeconds: 4.004 },
    { uri: '3.m4s', durationSeconds: 1.483333 },
  ],
}

const live: MediaPlaylist = {
  targetDurationSeconds: 6,
  mediaSequence: 4711,
  discontinuitySequence: 3,
  hasEnded: false,
  independentSegments: false,
  initUri: 'init-3.mp4?token=a%20b',
  segments: [
    { uri: '4711.m4s', durationSeconds: 2, programDateTime: new Date('2026-03-01T12:00:00.250Z') },
    { uri: '4712.m4s', durationSeconds: 2, discontinuity: true, initUri: 'init-4.mp4' },
    { uri: '4713.m4s', durationSeconds: 2 },
    { uri: '4714.m4s', durationSeconds: 0.5, discontinuity: true },
    { uri: '4715.m4s', durationSeconds: 2, initUri: 'init-5.mp4' },
  ],
}

const iFrames: MediaPlaylist = {
  ...vod,
  iFramesOnly: true,
  segments: [
    { uri: '1.m4s', durationSeconds: 4, byteRange: { offsetBytes: 0, lengthBytes: 8_123 } },
    { uri: '2.m4s', durationSeconds: 4.004, byteRange: { offsetBytes: 28, lengthBytes: 7_000 } },
  ],
}
const lowLatency: MediaPlaylist = {
  ...live,
  targetDurationSeconds: 2,
  serverControl: {
    canBlockReload: true,
    partHoldBackSeconds: 1.002,
    holdBackSeconds: 6,
    canSkipUntilSeconds: 12,
  },
  partTargetSeconds: 0.334,
  segments: [
    { uri: '1.m4s', durationSeconds: 2 },
    {
      uri: '2.m4s',
      durationSeconds: 0.634,
      parts: [
        { uri: '2.0.m4s', durationSeconds: 0.334, isIndependent: true },
        { uri: '2.1.m4s', durationSeconds: 0.3, isGap: true },
      ],
    },
    { uri: '3.m4s', durationSeconds: 2, isGap: true },
  ],
  openParts: [{ uri: '4.0.m4s', durationSeconds: 0.334 }],
  preloadHintUri: '4.1.m4s',
  renditionReports: [{ uri: '../audio/live.m3u8', lastMediaSequence: 4_714, lastPart: 0 }],
}
const promises: [string, MediaPlaylist][] = [
  ['a finished file', vod],
  ['a live window with discontinuities and changing init segments', live],
  ['a live stream before its first segment', { ...live, segments: [] }],
  ['a live window with parts', lowLatency],
  ['an in-progress EVENT playlist', { ...vod, playlistType: 'EVENT', startsAtFirst: true, hasEnded: false }],
  ['I-frames in byte ranges', iFrames],
  ['a playlist that returns to an earlier init segment', { ...vod, segments: backAndForth() }],
]

function backAndForth(): MediaPlaylist['segments'] {
  return [
    { uri: 'a', durationSeconds: 1 },
    { uri: 'b', durationSeconds: 1, initUri: 'ad.mp4', discontinuity: true },
    { uri: 'c', durationSeconds: 1, initUri: 'init.mp4', discontinuity: true },
  ]
}

test.each(promises)('%s survives a write and parse round trip', (_, playlist) => {
  const longest = Math.max(1, ...playlist.segments.map((segment) => Math.round(segment.durationSeconds)))
  expect(parseMediaPlaylist(writeMediaPlaylist(playlist))).toEqual({
    targetDurationSeconds: longest,
    ...playlist,
  })
})

test.each(promises)('hls.js parses %s to the same segments', (_, playlist) => {
  const details = M3U8Parser.parseLevelPlaylist(
    writeMediaPlaylist(playlist),
    'http://localhost/v/',
    0,
    // hls.js declares this enum but does not export it at run time.
    // oxlint-disable-next-line typescript/no-unsafe-enum-assignment
    'main' as Parameters<typeof M3U8Parser.parseLevelPlaylist>[3],
    0,
    null,
  )
  // hls.js reports an empty playlist as an error, which is correct for a stream without segments.
  if (playlist.segments.length > 0) expect(details.playlistParsingError).toBeNull()
  expect(details.live).toBe(!playlist.hasEnded)
  expect(details.startSN).toBe(playlist.mediaSequence)
  expect(details.fragments.map(({ relurl, duration }) => [relurl, duration])).toEqual(
    playlist.segments.map(({ uri, durationSeconds }) => [uri, durationSeconds]),
  )
  let initUri = playlist.initUri
  const initUris = playlist.segments.map((segment) => (initUri = segment.initUri ?? initUri))
  expect(details.fragments.map(({ initSegment }) => initSegment?.relurl)).toEqual(initUris)
})

test('writeMediaPlaylist writes a finished file as in the example of RFC 8216bis', () => {
  expect(writeMediaPlaylist(vod)).toBe(`#EXTM3U
#EXT-X-VERSION:7
#EXT-X-TARGETDURATION:4
#EXT-X-MEDIA-SEQUENCE:0
#EXT-X-PLAYLIST-TYPE:VOD
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-MAP:URI="init.mp4"
#EXTINF:4.000000,
1.m4s
#EXTINF:4.004000,
2.m4s
#EXTINF:1.483333,
3.m4s
#EXT-X-ENDLIST
`)
})

test.each([
  [[3.2, 4.49], 4],
  [[3.2, 4.5], 5],
  [[0.2], 1],
  [[], 1],
])('segments of %j seconds get a target duration of %i', (durations, target) => {
  const segments = durations.map((durationSeconds) => ({ uri: 's', durationSeconds }))
  expect(writeMediaPlaylist({ ...vod, segments })).toContain(`#EXT-X-TARGETDURATION:${target}\n`)
})

test('a WebVTT playlist has no EXT-X-MAP', () => {
  const { initUri: _initUri, ...webVtt } = { ...vod, segments: [{ uri: '0.vtt', durationSeconds: 6 }] }
  expect(writeMediaPlaylist(webVtt)).not.toContain('EXT-X-MAP')
  expect(writeMediaPlaylist(webVtt)).toContain('#EXTINF:6.000000,\n0.vtt\n')
})

test('writeMediaPlaylist writes an unchanged init segment only once', () => {
  const segments = vod.segments.map((segment) => ({ ...segment, initUri: 'init.mp4' }))
  expect(writeMediaPlaylist({ ...vod, segments })).toBe(writeMediaPlaylist(vod))
})

test('writeMediaPlaylist writes an I-frame playlist as RFC 8216bis 4.4.3.6 requires', () => {
  expect(writeMediaPlaylist(iFrames)).toBe(`#EXTM3U
#EXT-X-VERSION:7
#EXT-X-TARGETDURATION:4
#EXT-X-MEDIA-SEQUENCE:0
#EXT-X-PLAYLIST-TYPE:VOD
#EXT-X-I-FRAMES-ONLY
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-MAP:URI="init.mp4"
#EXTINF:4.000000,
#EXT-X-BYTERANGE:8123@0
1.m4s
#EXTINF:4.004000,
#EXT-X-BYTERANGE:7000@28
2.m4s
#EXT-X-ENDLIST
`)
})

const segment = { uri: 's', durationSeconds: 1 }

test.each<[string, Partial<MediaPlaylist>]>([
  ['a VOD playlist without an end', { hasEnded: false }],
  ['a segment that outlasts the target duration', { targetDurationSeconds: 3 }],
  ['a target duration with a fraction', { targetDurationSeconds: 4.5 }],
  ['a negative media sequence', { mediaSequence: -1 }],
  ['a duration that is not a number', { segments: [{ uri: 's', durationSeconds: NaN }] }],
  ['a negative duration', { segments: [{ uri: 's', durationSeconds: -1 }] }],
  ['an invalid date', { segments: [{ ...segment, programDateTime: new Date('yesterday') }] }],
  ['an empty byte range', { segments: [{ ...segment, byteRange: { offsetBytes: 1, lengthBytes: 0 } }] }],
  [
    'a byte range in fractions',
    { segments: [{ ...segment, byteRange: { offsetBytes: 1, lengthBytes: 2.5 } }] },
  ],
  ['a part without a part target', { openParts: [{ uri: 'p', durationSeconds: 0.3 }] }],
  ['a part that outlasts its target', { ...lowLatency, openParts: [{ uri: 'p', durationSeconds: 0.335 }] }],
  ['parts without a hold-back', { ...lowLatency, serverControl: { canBlockReload: true } }],
  ['a hold-back too near', { serverControl: { canBlockReload: true, holdBackSeconds: 11 } }],
  ['a skip boundary too near', { serverControl: { canBlockReload: true, canSkipUntilSeconds: 23 } }],
  ['a delta update without a skip boundary', { skippedSegments: 1 }],
  ['an empty URI', { segments: [{ ...segment, uri: '' }] }],
  ['a URI that would be a comment', { segments: [{ ...segment, uri: '#EXT-X-ENDLIST' }] }],
  ['a URI with a line break', { segments: [{ ...segment, uri: 's\n#EXT-X-ENDLIST' }] }],
  ['an init URI that leaves its quotes', { initUri: 'i",BYTERANGE="1@0' }],
  ['a URI that hides a variable reference', { initUri: '{$secret}.mp4' }],
])('writeMediaPlaylist rejects %s', (_, change) => {
  expect(() => writeMediaPlaylist({ ...vod, ...change })).toThrow(PlaylistError)
})

test('parseMediaPlaylist ignores unknown tags, attributes and comments, with LF and CRLF line endings', () => {
  const text = `#EXTM3U
#EXT-X-VERSION:9
#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=1.0
# made by hand

#EXT-X-TARGETDURATION:4
#EXT-X-KEY:METHOD=NONE
#EXT-X-MAP:URI="init.mp4",X-NEW="yes, really"
#EXT-X-PART:DURATION=0.33,URI="1.1.m4s"
#EXT-X-PROGRAM-DATE-TIME:2026-03-01T13:00:00.500+01:00
#EXTINF:4,a title, with a comma
1.m4s
#EXTINF:3.5
2.m4s`
  const expected: MediaPlaylist = {
    targetDurationSeconds: 4,
    mediaSequence: 0,
    hasEnded: false,
    independentSegments: false,
    initUri: 'init.mp4',
    serverControl: { canBlockReload: true, partHoldBackSeconds: 1 },
    segments: [
      {
        uri: '1.m4s',
        durationSeconds: 4,
        programDateTime: new Date('2026-03-01T12:00:00.500Z'),
        parts: [{ uri: '1.1.m4s', durationSeconds: 0.33 }],
      },
      { uri: '2.m4s', durationSeconds: 3.5 },
    ],
  }
  expect(parseMediaPlaylist(text)).toEqual(expected)
  expect(parseMediaPlaylist(text.replaceAll('\n', '\r\n'))).toEqual(expected)
})

const head = '#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MAP:URI="i"\n'

test.each([
  ['', 1, 'must start with #EXTM3U'],
  ['\uFEFF#EXTM3U\n', 1, 'must start with #EXTM3U'],
  ['#EXTM3U\n#EXT-X-MAP:URI="i"\n', 2, 'EXT-X-TARGETDURATION is missing'],
  ['#EXTM3U\n#EXT-X-TARGETDURATION:4\n', 2, 'EXT-X-MAP is missing'],
  ['#EXTM3U\n#EXT-X-TARGETDURATION:4.5\n', 2, 'EXT-X-TARGETDURATION must be a whole number'],
  ['#EXTM3U\n#EXTINF:4,\n1.ts\n', 3, 'must follow EXT-X-MAP'],
  ['#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n', 2, 'multivariant'],
  [`${head}1.m4s\n`, 4, 'must follow EXTINF'],
  [`${head}#EXTINF:abc,\n1.m4s\n`, 4, 'decimal number'],
  [`${head}#EXTINF:1,\n1 2.m4s\n`, 5, 'must not contain spaces'],
  [`${head}#EXT-X-MAP:BYTERANGE="1@0"\n`, 4, 'byte range'],
  [`${head}#EXT-X-MAP:URI=i\n`, 4, 'quoted string'],
  [`${head}#EXT-X-MAP:URI="i\n`, 4, 'attribute list is invalid'],
  [`${head}#EXT-X-MAP:URI="i",URI="j"\n`, 4, 'twice'],
  [`${head}#EXT-X-PART:URI="p"\n`, 4, 'DURATION is missing'],
  [`${head}#EXT-X-PART:DURATION=1\n`, 4, 'URI is missing'],
  [`${head}#EXT-X-PART:DURATION=1,URI="p",BYTERANGE="1@0"\n`, 4, 'byte range'],
  [`${head}#EXT-X-PART-INF:X=1\n`, 4, 'PART-TARGET is missing'],
  [`${head}#EXT-X-SKIP:X=1\n`, 4, 'SKIPPED-SEGMENTS is missing'],
  [`${head}#EXT-X-RENDITION-REPORT:URI="a"\n`, 4, 'LAST-MSN is missing'],
  [`${head}#EXT-X-BYTERANGE:10\n`, 4, '<length>@<offset>'],
  [`${head}#EXT-X-BYTERANGE:0@10\n`, 4, '<length>@<offset>'],
  [`${head}#EXT-X-KEY:METHOD=AES-128,URI="k"\n`, 4, 'not supported'],
  [`${head}#EXT-X-PLAYLIST-TYPE:LIVE\n`, 4, 'VOD or EVENT'],
  [`${head}#EXT-X-PROGRAM-DATE-TIME:noon\n`, 4, 'ISO 8601'],
])('parseMediaPlaylist rejects %j and reports line %i', (text, lineNumber, message) => {
  expect(() => parseMediaPlaylist(text)).toThrow(
    expect.objectContaining({ name: 'PlaylistError', lineNumber, message: expect.stringContaining(message) }),
  )
})

describe('with real media', () => {
  let folder: string
  const ffmpeg = (...args: string[]) =>
    execFileSync('ffmpeg', ['-nostdin', '-v', 'error', ...args], { cwd: folder })

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'zoetrope-hls-'))
    const encode = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25', '-sc_threshold', '0']
    const hls = ['-f', 'hls', '-hls_time', '1', '-hls_segment_type', 'fmp4', '-hls_playlist_type', 'vod']
    ffmpeg(
      '-f',
      'lavfi',
      '-i',
      'testsrc2=size=320x180:rate=25:duration=3.4',
      ...encode,
      ...hls,
      'theirs.m3u8',
    )
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  test('parses a playlist written by ffmpeg, and ffmpeg decodes the rewritten playlist to the same frames', () => {
    const playlist = parseMediaPlaylist(readFileSync(join(folder, 'theirs.m3u8'), 'utf8'))
    expect(playlist.segments.map(({ durationSeconds }) => durationSeconds)).toEqual([1, 1, 1, 0.4])

    writeFileSync(join(folder, 'ours.m3u8'), writeMediaPlaylist(playlist))
    const hashes = (name: string) => ffmpeg('-i', name, '-f', 'framemd5', '-').toString()
    expect(hashes('ours.m3u8')).toBe(hashes('theirs.m3u8'))
    expect(hashes('ours.m3u8').match(/^0,/gm)).toHaveLength(85)
  })
})
