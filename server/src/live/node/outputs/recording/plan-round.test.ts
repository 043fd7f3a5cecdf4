import { expect, test } from 'vitest'
import { planRound, type RecordedFacts, type RoundFacts, type RoundTrack } from './plan-round.ts'

const init = Buffer.from('init')
const recorded: RecordedFacts = {
  startSeconds: 1,
  tracks: {
    video: { initSegment: init, lastDecodeTicks: 900_000, endSeconds: 11 },
    audio: { initSegment: init, lastDecodeTicks: 480_000, endSeconds: 11 },
  },
}
const video: RoundTrack = { initSegment: init, firstDecodeTicks: 903_000, startSeconds: 11 }
const audio: RoundTrack = { initSegment: init, firstDecodeTicks: 481_024, startSeconds: 11 }
const round: RoundFacts = { startSeconds: 11, isEntry: true, tracks: { video, audio } }
const withVideo = (change: Partial<RoundTrack>): RoundFacts => ({
  ...round,
  tracks: { video: { ...video, ...change }, audio },
})

test.each<[string, RecordedFacts | null, RoundFacts, ReturnType<typeof planRound>]>([
  ['contiguous media continues the file', recorded, round, 'append'],
  ['so does what begins in the middle of a group', recorded, { ...round, isEntry: false }, 'append'],
  ['the first file begins with a key frame', null, round, 'begin'],
  ['and with nothing else', null, { ...round, isEntry: false }, 'skip'],
  [
    'another configuration begins a file',
    recorded,
    withVideo({ initSegment: Buffer.from('other') }),
    'begin',
  ],
  [
    'a track that brings nothing changes nothing',
    recorded,
    withVideo({ firstDecodeTicks: undefined }),
    'append',
  ],
  ['a jump in time starts a new file', recorded, withVideo({ firstDecodeTicks: 900_000 }), 'begin'],
  ['a hole of ten seconds stays a hole', recorded, withVideo({ startSeconds: 21 }), 'append'],
  ['a longer one begins a file', recorded, withVideo({ startSeconds: 21.1 }), 'begin'],
  [
    'a track that is new begins a file',
    { ...recorded, tracks: { video: recorded.tracks.video! } },
    round,
    'begin',
  ],
  ['the longest time is over', { ...recorded, startSeconds: -90 }, round, 'begin'],
  [
    'but not in the middle of a group',
    { ...recorded, startSeconds: -90 },
    { ...round, isEntry: false },
    'append',
  ],
])('a round of segments: %s', (_name, before, next, expected) => {
  expect(planRound(before, next, 100)).toBe(expected)
})
