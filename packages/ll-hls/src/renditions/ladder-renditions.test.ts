import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PlaylistRules } from '../../test-support/playlist-rules.ts'
import {
  announce,
  avcConfiguration,
  send,
  unitsOf,
  type PublisherShape,
} from '../../test-support/publisher.ts'
import { defaultPackaging, LivePackager, LivePlaylists, type VideoUnit } from '../index.ts'
import type { LadderRendition } from './ladder-rendition.ts'
import { describeVideo, type TrackName } from '../media/track-format.ts'

const camera: PublisherShape = {
  seconds: 12,
  pictureMs: (index) => index * 40,
  isKey: (index) => index % 25 === 0,
  sampleRateHz: 48_000,
}
const format = describeVideo('avc1', avcConfiguration)
const tracks: readonly TrackName[] = ['video', 'v360', 'audio']

const create = () => {
  const packager = new LivePackager({ ...defaultPackaging, windowSeconds: 20, now: () => 0 })
  const playlists = new LivePlaylists(packager)
  const rules = new Map(tracks.map((track) => [track, new PlaylistRules()]))
  const check = () => {
    for (const track of tracks) rules.get(track)!.check(playlists.media(track))
  }
  let rung: LadderRendition | undefined
  const encode = ({ decodeMs, isKeyFrame, data }: VideoUnit) => {
    const { version, originMs, startTicks } = packager.ladder.period!
    rung!.add({ version, ticks: startTicks + (decodeMs - originMs) * 90, isKeyFrame, data })
  }
  const beginEncoder = () => {
    rung = packager.ladder.expect('v360')
    rung.begin(format)
  }
  const endEncoder = () => packager.ladder.rest('v360')
  return { packager, playlists, rules, check, encode, beginEncoder, endEncoder }
}

/**
 * Each entry is the encoder's behavior for a number of pictures. The encoder lags some pictures behind the
 * source.
 */
const fates = fc.array(
  fc.record({
    fate: fc.constantFrom('encodes', 'drops', 'is away'),
    pictures: fc.integer({ min: 1, max: 120 }),
  }),
  { minLength: 1, maxLength: 12 },
)

test("playlists of a rung follow the rules and the source's numbers, whatever its encoder omits", () => {
  fc.assert(
    fc.property(fates, fc.integer({ min: 0, max: 40 }), fc.integer(), (plan, behind, seed) => {
      const { packager, rules, check, encode, beginEncoder, endEncoder } = create()
      const isBreak = (index: number) => index > 0 && (index * 7919 + seed) % 170 === 0
      let startMs = 0
      let isAway = true
      let needsKey = true
      let before: typeof packager.ladder.period
      const waiting: (() => void)[] = []
      const script = plan.flatMap(({ fate, pictures }) => Array<string>(pictures).fill(fate))
      announce(packager, camera)
      for (const [index, item] of unitsOf({
        ...camera,
        seconds: Math.max(8, script.length / 25),
      }).entries()) {
        if (isBreak(index)) {
          while (waiting.length > 0) waiting.shift()!()
          startMs += 20_000
        }
        if (item.kind === 'audio') {
          send(packager, { ...item, unit: { ...item.unit, timestampMs: item.unit.timestampMs + startMs } })
          continue
        }
        const unit = { ...item.unit, decodeMs: item.unit.decodeMs + startMs }
        send(packager, { kind: 'video', unit })
        const fate = script[Math.round(item.unit.decodeMs / 40)] ?? 'encodes'
        const { period } = packager.ladder
        if (period === undefined) continue
        // The first key frame may have arrived before the period began.
        if (period !== before) needsKey = true
        before = period
        if (fate === 'is away' && !isAway) endEncoder()
        if (fate !== 'encodes') needsKey = true
        if (fate === 'is away') waiting.length = 0
        if (fate !== 'is away' && isAway) beginEncoder()
        isAway = fate === 'is away'
        // The encoder cannot start at a dropped key frame.
        if (fate === 'encodes' && unit.isKeyFrame) needsKey = false
        if (fate === 'encodes' && !needsKey)
          waiting.push(() => {
            if (packager.ladder.period === period) encode(unit)
          })
        if (waiting.length > behind) waiting.shift()!()
        check()
      }
      while (waiting.length > 0) waiting.shift()!()
      packager.end()
      check()
      const source = packager.rendition('video')!
      const rung = packager.rendition('v360')
      if (rung === undefined) return
      expect(rung.currentSegment.number).toBe(source.currentSegment.number)
      for (const {
        number,
        startSeconds,
        durationSeconds,
        isDiscontinuity,
        isGap,
        isIndependent,
      } of rung.segments) {
        const same = source.segment(number)!
        expect(Math.abs(same.startSeconds - startSeconds)).toBeLessThan(0.006)
        expect(Math.abs(same.durationSeconds - durationSeconds)).toBeLessThan(0.012)
        expect(isDiscontinuity).toBe(same.isDiscontinuity)
        expect(isGap || isIndependent).toBe(true)
      }
      expect(rules.get('v360')!.last.hasEnded).toBe(true)
    }),
    {
      numRuns: 15,
      // Drops the key frame that begins a segment, so that the next one is in its middle.
      examples: [
        [
          [
            { fate: 'encodes', pictures: 76 },
            { fate: 'drops', pictures: 25 },
          ],
          0,
          -1_156_399_064,
        ],
      ],
    },
  )
})

test('a rung is listed once it has a segment and is reported in the other playlists', () => {
  const { packager, playlists, encode, beginEncoder } = create()
  announce(packager, camera)
  for (const item of unitsOf(camera)) {
    send(packager, item)
    if (packager.ladder.period === undefined) continue
    if (packager.rendition('v360') === undefined && item.kind === 'video' && item.unit.decodeMs === 7_000)
      beginEncoder()
    if (item.kind === 'video' && item.unit.decodeMs >= 7_000) encode(item.unit)
    const isThere = item.kind === 'video' && item.unit.decodeMs >= 9_000
    if (item.kind === 'video') expect(playlists.multivariant()!.includes('v360/live.m3u8')).toBe(isThere)
  }
  expect(playlists.media('audio')).toContain('URI="../v360/live.m3u8",LAST-MSN=6')
  expect(playlists.media('v360')).toContain('#EXT-X-MEDIA-SEQUENCE:4')
  expect(playlists.multivariant({ isLowLatency: false })).toContain('v360/standard.m3u8')
  const manifest = playlists.manifest()!
  expect(manifest.match(/<AdaptationSet/g)).toHaveLength(2)
  expect(manifest.match(/<Representation[^>]* id="(video|v360)"/g)).toHaveLength(2)
})
