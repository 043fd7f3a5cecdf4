import { expect, test } from 'vitest'
import { elementsNamed, parseXml } from '../test/parse-xml.ts'
import { ManifestError, writeManifest } from './index.ts'
import type { Manifest, Representation, TextTrack, TimelineSegment } from './index.ts'
import type { XmlElement } from './xml.ts'

function contiguous(startTicks: number, ...durationsTicks: number[]): TimelineSegment[] {
  let nextTicks = startTicks
  return durationsTicks.map((durationTicks) => {
    const segment = { startTicks: nextTicks, durationTicks }
    nextTicks += durationTicks
    return segment
  })
}

// A presentation of ten seconds from T0 = 1 s, cut every 4 s, in two timescales.
const video1080: Representation = {
  id: 'r5',
  codecs: 'avc1.640028',
  bandwidthBitsPerSecond: 5_000_000,
  widthPixels: 1920,
  heightPixels: 1080,
  frameRate: 30_000 / 1001,
  timescale: 90_000,
  initUri: 'r5/init.mp4',
  mediaUriTemplate: 'r5/$Number$.m4s',
  startNumber: 1,
  segments: contiguous(90_000, 360_000, 360_000, 180_000),
}
const video360: Representation = {
  ...video1080,
  id: 'r1',
  codecs: 'avc1.64001e',
  bandwidthBitsPerSecond: 800_000,
  widthPixels: 640,
  heightPixels: 360,
  timescale: 30_000,
  segments: contiguous(30_000, 120_000, 120_000, 60_000),
}
// The audio starts with 1024 priming samples before T0.
const audio: Representation = {
  id: 'a1',
  codecs: 'mp4a.40.2',
  bandwidthBitsPerSecond: 128_000,
  sampleRateHz: 48_000,
  channels: 2,
  timescale: 48_000,
  initUri: 'a1/init.mp4',
  mediaUriTemplate: 'a1/$Number$.m4s',
  startNumber: 1,
  segments: contiguous(48_000 - 1024, 192_512, 192_512, 96_000),
}
const manifest: Manifest = {
  durationSeconds: 10,
  timelineStartSeconds: 1,
  adaptationSets: [
    { kind: 'video', representations: [video1080, video360] },
    { kind: 'audio', language: 'de', representations: [audio] },
  ],
}

function withVideo(...representations: Representation[]): Manifest {
  return { ...manifest, adaptationSets: [{ kind: 'video', representations }] }
}

/** Expands a SegmentTimeline as a player does. */
function expand(timeline: XmlElement): TimelineSegment[] {
  const segments: TimelineSegment[] = []
  let nextTicks = 0
  for (const { attributes } of timeline.children) {
    const durationTicks = Number(attributes.d)
    nextTicks = Number(attributes.t ?? nextTicks)
    for (let repeat = 0; repeat <= Number(attributes.r ?? 0); repeat += 1) {
      segments.push({ startTicks: nextTicks, durationTicks })
      nextTicks += durationTicks
    }
  }
  return segments
}

const timelinesOf = (text: string) => elementsNamed(parseXml(text), 'SegmentTimeline')
const attributeOf = (text: string, name: string, attribute: string) =>
  elementsNamed(parseXml(text), name).map(({ attributes }) => attributes[attribute])

test('writeManifest writes a manifest as ISO/IEC 23009-1 defines it', () => {
  const text = writeManifest(manifest)
  expect(() => parseXml(text)).not.toThrow()
  expect(text).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" profiles="urn:mpeg:dash:profile:isoff-live:2011" type="static" mediaPresentationDuration="PT10S" minBufferTime="PT4.010667S">
  <Period id="1" start="PT0S">
    <AdaptationSet id="1" contentType="video" mimeType="video/mp4" segmentAlignment="true">
      <Representation id="r5" codecs="avc1.640028" bandwidth="5000000" width="1920" height="1080" frameRate="30000/1001">
        <SegmentTemplate timescale="90000" presentationTimeOffset="90000" startNumber="1" initialization="r5/init.mp4" media="r5/$Number$.m4s">
          <SegmentTimeline>
            <S t="90000" d="360000" r="1"/>
            <S d="180000"/>
          </SegmentTimeline>
        </SegmentTemplate>
      </Representation>
      <Representation id="r1" codecs="avc1.64001e" bandwidth="800000" width="640" height="360" frameRate="30000/1001">
        <SegmentTemplate timescale="30000" presentationTimeOffset="30000" startNumber="1" initialization="r5/init.mp4" media="r5/$Number$.m4s">
          <SegmentTimeline>
            <S t="30000" d="120000" r="1"/>
            <S d="60000"/>
          </SegmentTimeline>
        </SegmentTemplate>
      </Representation>
    </AdaptationSet>
    <AdaptationSet id="2" contentType="audio" mimeType="audio/mp4" lang="de" segmentAlignment="true">
      <Representation id="a1" codecs="mp4a.40.2" bandwidth="128000" audioSamplingRate="48000">
        <AudioChannelConfiguration schemeIdUri="urn:mpeg:mpegB:cicp:ChannelConfiguration" value="2"/>
        <SegmentTemplate timescale="48000" presentationTimeOffset="48000" startNumber="1" initialization="a1/init.mp4" media="a1/$Number$.m4s">
          <SegmentTimeline>
            <S t="46976" d="192512" r="1"/>
            <S d="96000"/>
          </SegmentTimeline>
        </SegmentTemplate>
      </Representation>
    </AdaptationSet>
  </Period>
</MPD>
`)
})

test.each([
  ['equal segments', contiguous(90_000, ...Array<number>(2_700).fill(360_000)), 1],
  ['a shorter last segment', contiguous(90_000, 360_000, 360_000, 90_000), 2],
  ['durations that alternate', contiguous(0, 5, 6, 5, 6), 4],
  ['one segment', contiguous(0, 7), 1],
  ['a gap between equal segments', [...contiguous(0, 5, 5), ...contiguous(11, 5, 5)], 2],
])(
  'a timeline of %s expands to exactly its segments, in the fewest possible runs',
  (_, segments, runCount) => {
    const [timeline] = timelinesOf(writeManifest(withVideo({ ...video1080, segments })))
    expect(timeline && expand(timeline)).toEqual(segments)
    expect(timeline?.children).toHaveLength(runCount)
  },
)

test('every timeline lasts as long as the presentation, from its presentation time offset', () => {
  const text = writeManifest(manifest)
  const templates = elementsNamed(parseXml(text), 'SegmentTemplate')
  const endsSeconds = templates.map((template) => {
    const last = expand(template.children[0]!).at(-1)!
    const { presentationTimeOffset, timescale } = template.attributes
    return (last.startTicks + last.durationTicks - Number(presentationTimeOffset)) / Number(timescale)
  })
  expect(endsSeconds).toEqual([10, 10, 10])
})

const lastMoved = contiguous(30_000, 120_000, 120_001, 59_999)

test.each<[string, Representation[], 'true' | undefined]>([
  ['equal cuts in different timescales', [video1080, video360], 'true'],
  ['one representation', [video1080], 'true'],
  [
    'another start',
    [video1080, { ...video360, segments: contiguous(30_001, 120_000, 120_000, 60_000) }],
    undefined,
  ],
  ['one cut a tick later', [video1080, { ...video360, segments: lastMoved }], undefined],
  [
    'one segment more',
    [video360, { ...video360, id: 'r2', segments: contiguous(30_000, 120_000) }],
    undefined,
  ],
  [
    'ticks whose products a double cannot tell apart',
    [
      { ...video1080, timescale: 10_000_000, segments: contiguous(0, 2 ** 50, 10) },
      { ...video360, timescale: 9_999_999, segments: contiguous(0, 2 ** 50, 10) },
    ],
    undefined,
  ],
])('an adaptation set with %s has segmentAlignment %s', (_, representations, expected) => {
  const text = writeManifest(withVideo(...representations))
  expect(attributeOf(text, 'AdaptationSet', 'segmentAlignment')).toEqual([expected])
})

test.each([
  [25, '25'],
  [30_000 / 1001, '30000/1001'],
  [29.97, '30000/1001'],
  [23.976, '24000/1001'],
  [59.94, '60000/1001'],
  [12.5, '25/2'],
  [0.5, '1/2'],
  [14.985, '15000/1001'],
  [16.667, '16667/1000'],
])('a frame rate of %d is written as %s', (frameRate, expected) => {
  const text = writeManifest(withVideo({ ...video1080, frameRate }))
  expect(attributeOf(text, 'Representation', 'frameRate')).toEqual([expected])
})

test.each([
  [1, '1'],
  [6, '6'],
  [8, '12'],
  [24, undefined],
])('%i channels have the channel configuration %s', (channels, expected) => {
  const text = writeManifest({
    ...manifest,
    adaptationSets: [{ kind: 'audio', representations: [{ ...audio, channels }] }],
  })
  expect(attributeOf(text, 'AudioChannelConfiguration', 'value')).toEqual(
    expected === undefined ? [] : [expected],
  )
})

test('writeManifest escapes attribute text so that it cannot inject markup', () => {
  const hostile = `r"/><Evil a='1'>&amp;\n\t]]>ü🎬`
  const mediaUriTemplate = `${hostile}$Number%05d$`
  const text = writeManifest(withVideo({ ...video1080, mediaUriTemplate, initUri: `${hostile}$5` }))
  expect(attributeOf(text, 'SegmentTemplate', 'media')).toEqual([mediaUriTemplate])
  expect(attributeOf(text, 'SegmentTemplate', 'initialization')).toEqual([`${hostile}$$5`])
  expect(elementsNamed(parseXml(text), 'Evil')).toEqual([])
})

test.each([
  [10, 'PT10S'],
  [100, 'PT100S'],
  [0.04, 'PT0.04S'],
  [43_200.123_456_7, 'PT43200.123457S'],
])('a duration of %d seconds is written as %s', (durationSeconds, expected) => {
  const text = writeManifest({ ...manifest, durationSeconds })
  expect(attributeOf(text, 'MPD', 'mediaPresentationDuration')).toEqual([expected])
})

const captions: TextTrack = {
  id: 'c1',
  uri: 'captions/1.vtt?a=1&b=2',
  language: 'pt-BR',
  label: 'Português <b>',
  role: 'caption',
  isDefault: true,
  bandwidthBitsPerSecond: 200,
}
const withText = (...textTracks: TextTrack[]): Manifest => ({ ...manifest, textTracks })

test('a WebVTT file becomes an adaptation set of its own', () => {
  const text = writeManifest(
    withText(captions, { ...captions, id: 'c2', role: 'subtitle', isDefault: false }),
  )
  expect(text).toContain(`    <AdaptationSet id="3" contentType="text" mimeType="text/vtt" lang="pt-BR">
      <Label>Português &lt;b&gt;</Label>
      <Role schemeIdUri="urn:mpeg:dash:role:2011" value="caption"/>
      <Role schemeIdUri="urn:mpeg:dash:role:2011" value="main"/>
      <Representation id="c1" bandwidth="200">
        <BaseURL>captions/1.vtt?a=1&amp;b=2</BaseURL>
      </Representation>
    </AdaptationSet>
`)
  expect(text.match(/value="(subtitle|main)"/g)).toEqual(['value="main"', 'value="subtitle"'])
  const withoutText = text.replace(/ {4}<AdaptationSet id="[34]"[^]*?<\/AdaptationSet>\n/g, '')
  expect(withoutText).toBe(writeManifest(manifest))
})

const withLanguage = (language: string): Manifest => ({
  ...manifest,
  adaptationSets: [{ kind: 'audio', language, representations: [audio] }],
})

test.each<[string, Manifest]>([
  ['a duration of zero', { ...manifest, durationSeconds: 0 }],
  ['a duration that is not a number', { ...manifest, durationSeconds: NaN }],
  ['a set without representations', withVideo()],
  ['a representation without segments', withVideo({ ...video1080, segments: [] })],
  [
    'segments that overlap',
    withVideo({ ...video1080, segments: [...contiguous(0, 5), ...contiguous(4, 5)] }),
  ],
  ['a segment without a duration', withVideo({ ...video1080, segments: contiguous(0, 0) })],
  ['a start between ticks', withVideo({ ...video1080, segments: contiguous(0.5, 1) })],
  ['two representations of one id', withVideo(video1080, video1080)],
  ['an id with a space', withVideo({ ...video1080, id: 'r 5' })],
  ['a bandwidth with a fraction', withVideo({ ...video1080, bandwidthBitsPerSecond: 1.5 })],
  ['a frame rate of zero', withVideo({ ...video1080, frameRate: 0 })],
  ['a template without a number', withVideo({ ...video1080, mediaUriTemplate: 'r5/1.m4s' })],
  ['a template whose number is escaped', withVideo({ ...video1080, mediaUriTemplate: '$$Number$$' })],
  ['a template with a stray dollar', withVideo({ ...video1080, mediaUriTemplate: 'a$b/$Number$' })],
  ['a text of the id of a representation', withText({ ...captions, id: 'r5' })],
  ['a text whose language is no tag', withText({ ...captions, language: '' })],
  ['a text without a bandwidth', withText({ ...captions, bandwidthBitsPerSecond: 0 })],
  ['a text whose label XML does not have', withText({ ...captions, label: 'a\u0000b' })],
  ['a language that is no tag', withLanguage('Deutsch, bitte')],
  ['a character that XML does not have', withVideo({ ...video1080, initUri: 'a\u0001b' })],
  ['half a surrogate pair', withVideo({ ...video1080, initUri: 'a\ud83d' })],
])('writeManifest rejects %s', (_, refused) => {
  expect(() => writeManifest(refused)).toThrow(ManifestError)
})
