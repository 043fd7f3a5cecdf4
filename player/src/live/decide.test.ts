import { describe, expect, test } from 'vitest'
import { decide, type NowPlaying } from './decide.ts'
import type { StatusAnswer, StreamStatus } from './watch-status.ts'

const says = (State: StreamStatus['State'], OnlineSince: string | null = null): StatusAnswer => ({
  type: 'status',
  status: {
    ...{ State, Title: '', BoardText: '', EndedText: '', HasPoster: false },
    ...{ OnlineSince, IsLowLatency: true },
  },
})
const first = '2026-03-01T12:00:00.000+00:00'
const online = says('online', first)
const refused: StatusAnswer = { type: 'refused' }
const away: StatusAnswer = { type: 'away' }

const playing: NowPlaying = { onlineSince: first, hasEnded: false, isPaused: false, stalledMs: 0 }
const stalled = { ...playing, stalledMs: 2_000 }
const ended = { ...playing, hasEnded: true }
const paused = { ...playing, isPaused: true }

const nothing = { act: 'nothing', board: null, notice: null }

describe('while nothing is playing', () => {
  test.each([
    ['before a broadcast', says('offline'), true, 'nothing', 'before', null],
    ['opened after a broadcast', says('ended'), true, 'nothing', 'ended', null],
    ['after a broadcast that the viewer watched', says('offline'), false, 'nothing', 'ended', null],
    ['when a broadcast starts', online, true, 'start', 'starting', null],
    ['when the next broadcast starts', online, false, 'start', 'starting', null],
    ['opened while the publisher is away', says('reconnecting', first), true, 'nothing', 'interrupted', null],
    ['when it is unpublished', refused, true, 'nothing', 'unavailable', null],
    ['when the server is away', away, true, 'nothing', 'before', 'connectionLost'],
    ['when the server is away after a broadcast', away, false, 'nothing', 'ended', 'connectionLost'],
  ])('%s', (_name, answer, isFresh, act, board, notice) => {
    expect(decide(answer, null, isFresh)).toEqual({ act, board, notice })
  })
})

describe('while a broadcast is playing', () => {
  test.each([
    ['all is well', online, playing, nothing],
    ['a short stall is left to the engine', online, stalled, nothing],
    [
      'a long one is not',
      online,
      { ...playing, stalledMs: 21_000 },
      { act: 'restart', board: null, notice: null },
    ],
    [
      'the next broadcast replaces it',
      says('online', '2026-03-01T13:00:00.000+00:00'),
      playing,
      { act: 'restart', board: null, notice: null },
    ],
    ['what ended wrongly begins anew', online, ended, { act: 'restart', board: null, notice: null }],
    ['the publisher is lost', says('reconnecting', first), playing, { ...nothing, notice: 'interrupted' }],
    ['a server that is away is not worth a word while there is a buffer', away, playing, nothing],
    ['but then', away, stalled, { ...nothing, notice: 'connectionLost' }],
    ['who is behind sees the rest', says('ended'), playing, nothing],
    ['then it is over', says('ended'), ended, { act: 'stop', board: 'ended', notice: null }],
    ['without a proper end, too', says('offline'), stalled, { act: 'stop', board: 'ended', notice: null }],
    ['who paused keeps the rest while it is served', says('ended'), paused, nothing],
    ['and no longer', says('offline'), paused, { act: 'stop', board: 'ended', notice: null }],
    ['what is taken back is gone', refused, playing, { act: 'stop', board: 'unavailable', notice: null }],
  ])('%s', (_name, answer, now, decision) => {
    expect(decide(answer, now, false)).toEqual(decision)
  })
})
